import { Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Circle } from "lucide-react";
import { Instant } from "../../components/Instant";
import type { NotificationFieldsFragment } from "../../gql/documents";
import classes from "./NotificationList.module.css";

/** The path of a notification's record, by record type. */
const recordPaths: Record<string, string> = {
  deal: "/deals",
  lead: "/leads",
  merchant: "/merchants",
  application: "/applications",
  user: "/settings/users",
  webhookEndpoint: "/settings/webhooks",
};

/** Where a notification leads. undefined if its record has no page. */
export function recordPath({ entity, entityId }: NotificationFieldsFragment): string | undefined {
  const path = entity && recordPaths[entity];
  return path && entityId ? `${path}/${entityId}` : undefined;
}

/** The title of a notification, linked to its record. */
export function NotificationTitle({
  notice,
  markRead,
}: {
  notice: NotificationFieldsFragment;
  markRead: (notice: NotificationFieldsFragment) => void;
}) {
  const to = recordPath(notice);
  return (
    <Group gap={6} wrap="nowrap" align="baseline">
      {notice.readAt === null && <Circle size={8} className={classes.unread} role="img" aria-label="Unread" />}
      {to ? (
        <Anchor component={Link} to={to} inherit onClick={() => markRead(notice)} className={classes.title}>
          {notice.title}
        </Anchor>
      ) : (
        <Text span inherit className={classes.title}>
          {notice.title}
        </Text>
      )}
    </Group>
  );
}

/** Lists notifications, newest first. */
export function NotificationList({
  notices,
  markRead,
}: {
  notices: NotificationFieldsFragment[];
  markRead: (notice: NotificationFieldsFragment) => void;
}) {
  return (
    <ul className={classes.notices} aria-label="Latest notifications">
      {notices.map((notice) => (
        <li key={notice.id}>
          <Stack gap={2}>
            <Text component="div" size="sm" fw={notice.readAt === null ? 600 : 400}>
              <NotificationTitle notice={notice} markRead={markRead} />
            </Text>
            {notice.body && (
              <Text size="xs" c="dimmed" lineClamp={2} className={classes.title}>
                {notice.body}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <Instant at={notice.createdAt} relative />
            </Text>
          </Stack>
        </li>
      ))}
    </ul>
  );
}
