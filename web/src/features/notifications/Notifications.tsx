import { Button, Stack, Text } from "@mantine/core";
import { DataTable } from "../../components/DataTable";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import type { Column } from "../../components/table";
import {
  type NotificationFieldsFragment,
  type NotificationSortField,
  NotificationsDocument,
} from "../../gql/documents";
import { NotificationTitle } from "./NotificationList";
import { useMarkRead } from "./useMarkRead";

const filters = [
  {
    name: "unread",
    label: "Status",
    options: [
      { value: "true", label: "Unread" },
      { value: "false", label: "Read" },
    ],
  },
];

/** All notifications of the signed-in member, newest first. */
export function Notifications() {
  const { markRead, markAllRead, busy } = useMarkRead();
  const columns: Column<NotificationFieldsFragment, NotificationSortField>[] = [
    {
      title: "Notification",
      sort: "ID",
      cell: (r) => (
        <Text component="div" inherit fw={r.readAt === null ? 600 : 400}>
          <NotificationTitle notice={r} markRead={(notice) => void markRead(notice)} />
        </Text>
      ),
      csv: (r) => r.title,
    },
    { title: "Details", cell: (r) => r.body, csv: (r) => r.body },
    { title: "When", cell: (r) => <Instant at={r.createdAt} relative />, csv: (r) => r.createdAt },
    {
      title: "Read",
      cell: (r) =>
        r.readAt === null ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void markRead(r)}
            aria-label={`Mark as read: ${r.title}`}
          >
            Mark as read
          </Button>
        ) : (
          <Instant at={r.readAt} relative />
        ),
      csv: (r) => r.readAt,
    },
  ];
  return (
    <Stack>
      <PageHeader
        title="Notifications"
        actions={
          <Button variant="default" loading={busy} onClick={() => void markAllRead()}>
            Mark all as read
          </Button>
        }
      />
      <DataTable
        name="notifications"
        document={NotificationsDocument}
        connection={(data) => data.notifications}
        variables={(value) => ({
          filter: { unread: { true: true, false: false }[value("unread") ?? ""] },
        })}
        columns={columns}
        defaultSort="-ID"
        rowKey={(r) => r.id}
        filters={filters}
        empty="No notifications yet."
      />
    </Stack>
  );
}
