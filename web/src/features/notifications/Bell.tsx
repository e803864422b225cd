import { ActionIcon, Anchor, Button, Group, Indicator, Popover, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { Bell as Icon } from "lucide-react";
import { useEffect } from "react";
import { ErrorPanel } from "../../components/ErrorPanel";
import { count } from "../../components/format";
import { graphQuery } from "../../gql/client";
import { RecentNotificationsDocument } from "../../gql/documents";
import { NotificationList } from "./NotificationList";
import { useMarkRead } from "./useMarkRead";

/** Polling interval while the page is visible, in milliseconds. */
const pollInterval = 60_000;

/** Shows the number of unread notifications, and the latest ones. */
export function Bell() {
  const result = useQuery({ ...graphQuery(RecentNotificationsDocument, {}), refetchInterval: pollInterval });
  const [opened, popover] = useDisclosure();
  const { markRead, markAllRead, busy } = useMarkRead();
  const { pathname } = useLocation();
  const unread = result.data?.viewer.unreadNotifications ?? 0;
  const latest = result.data?.notifications?.nodes;
  const { close } = popover;
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the popover when a link is followed
  useEffect(close, [pathname, close]);
  return (
    <Popover
      opened={opened}
      onChange={popover.toggle}
      position="bottom-end"
      width={360}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Indicator label={unread > 99 ? "99+" : unread} size={16} disabled={unread === 0} color="red.9" offset={4}>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={unread === 0 ? "Notifications" : `Notifications, ${count(unread)} unread`}
            onClick={() => {
              popover.toggle();
              void result.refetch();
            }}
          >
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Notifications">
        <Stack gap="xs">
          <Group justify="space-between">
            <Text fw={600}>Notifications</Text>
            <Button
              size="compact-xs"
              variant="default"
              disabled={unread === 0}
              loading={busy}
              onClick={() => void markAllRead()}
            >
              Mark all as read
            </Button>
          </Group>
          {result.error && !latest && <ErrorPanel problem={result.error.problem} />}
          {latest?.length === 0 && (
            <Text size="sm" c="dimmed">
              No notifications yet.
            </Text>
          )}
          {latest && latest.length > 0 && (
            <NotificationList notices={latest} markRead={(notice) => void markRead(notice)} />
          )}
          <Anchor component={Link} to="/notifications" size="sm">
            All notifications
          </Anchor>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
