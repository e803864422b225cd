import { Button } from "@mantine/core";
import { useState } from "react";
import { DataTable } from "../../components/DataTable";
import { count, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Live } from "../../components/Live";
import { StateBadge } from "../../components/StateBadge";
import { type Column, chosen } from "../../components/table";
import { eventKinds } from "../../gql/contract";
import {
  WebhookAttemptsDocument,
  WebhookDeliveriesDocument,
  type WebhookDeliveriesQuery,
  WebhookDeliveryLogDocument,
  type WebhookDeliverySortField,
  type WebhookDeliveryStatus,
} from "../../gql/documents";
import { useRefreshKey, useStream } from "../../gql/stream";
import { DeliveryDialog } from "./DeliveryDialog";

type Row = NonNullable<WebhookDeliveriesQuery["webhookDeliveries"]>["nodes"][number];

const statuses = ["PENDING", "DELIVERED", "FAILED"] as const satisfies readonly WebhookDeliveryStatus[];
const statusOptions = [
  { value: "PENDING", label: "Pending" },
  { value: "DELIVERED", label: "Delivered" },
  { value: "FAILED", label: "Failed" },
];

const filters = [
  { name: "status", label: "Status", options: statusOptions },
  { name: "event", label: "Event", options: eventKinds.map((k) => ({ value: k.event, label: k.event })) },
];

/** The log of one endpoint, updated live. */
export function LiveDeliveries({ endpointId }: { endpointId: string }) {
  const [refreshKey, refresh] = useRefreshKey();
  const deliveriesState = useStream(
    WebhookDeliveryLogDocument,
    { endpointId },
    (data) => data.webhookDeliveryLog?.id,
    refresh,
  );
  const attemptsState = useStream(WebhookAttemptsDocument, { endpointId }, (data) => data.webhookTries?.id, refresh);
  return (
    <>
      <Live state={deliveriesState === "live" ? attemptsState : deliveriesState} />
      <Deliveries endpointId={endpointId} refreshKey={refreshKey} />
    </>
  );
}

/** The deliveries of the last 30 days, of one endpoint or of all. */
export function Deliveries({ endpointId, refreshKey }: { endpointId?: string; refreshKey?: number }) {
  const [selectedId, setSelectedId] = useState<string>();
  const columns: Column<Row, WebhookDeliverySortField>[] = [
    {
      title: "Delivery",
      sort: "ID",
      cell: (r) => (
        <Button variant="subtle" size="compact-sm" onClick={() => setSelectedId(r.id)} aria-label={`Delivery ${r.id}`}>
          {r.id}
        </Button>
      ),
      csv: (r) => r.id,
    },
    { title: "Event", cell: (r) => r.event, csv: (r) => r.event },
    {
      title: "Status",
      cell: (r) => (
        <StateBadge state={r.status} label={statusOptions.find((o) => o.value === r.status)?.label ?? r.status} />
      ),
      csv: (r) => r.status,
    },
    ...(endpointId
      ? []
      : [{ title: "Endpoint", cell: (r: Row) => r.endpoint?.url ?? none, csv: (r: Row) => r.endpoint?.url }]),
    { title: "Attempts", right: true, cell: (r) => count(r.attempts), csv: (r) => r.attempts },
    { title: "Response", cell: (r) => r.responseStatus ?? r.error ?? none, csv: (r) => r.responseStatus ?? r.error },
    {
      title: "Duration",
      right: true,
      cell: (r) => (r.durationMs === null ? none : `${count(r.durationMs)} ms`),
      csv: (r) => r.durationMs,
    },
    { title: "Created", cell: (r) => <Instant at={r.createdAt} relative />, csv: (r) => r.createdAt },
  ];
  return (
    <>
      <DataTable
        name="deliveries"
        prefix="deliveries-"
        refreshKey={refreshKey}
        document={WebhookDeliveriesDocument}
        connection={(data) => data.webhookDeliveries}
        variables={(value) => ({
          filter: {
            endpointId,
            status: chosen(value("status"), statuses),
            event: chosen(
              value("event"),
              eventKinds.map((k) => k.event),
            ),
          },
        })}
        columns={columns}
        defaultSort="-ID"
        rowKey={(r) => r.id}
        filters={filters}
        empty="No deliveries in the last 30 days."
      />
      <DeliveryDialog id={selectedId} close={() => setSelectedId(undefined)} show={setSelectedId} />
    </>
  );
}
