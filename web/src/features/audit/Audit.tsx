import { Anchor, Modal, Stack } from "@mantine/core";
import { useState } from "react";
import { DataTable } from "../../components/DataTable";
import { diff } from "../../components/diff";
import { Fields } from "../../components/Fields";
import { humanize } from "../../components/format";
import { Instant } from "../../components/Instant";
import { RawJson } from "../../components/JsonView";
import { PageHeader } from "../../components/PageHeader";
import type { Column } from "../../components/table";
import { AuditEntriesDocument, type AuditEntriesQuery, type AuditEntrySortField } from "../../gql/documents";

type Row = NonNullable<AuditEntriesQuery["auditEntries"]>["nodes"][number];

const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: humanize(value) }));

/** The surfaces that writes come from. */
const surfaces = [
  { value: "GRAPHQL", label: "Portal or GraphQL" },
  { value: "REST", label: "REST API" },
  { value: "RPC", label: "Admin API" },
  { value: "CLI", label: "Command line" },
  { value: "INBOUND", label: "Inbound event" },
  { value: "SIGN_IN", label: "Sign-in" },
  { value: "SYSTEM", label: "System" },
];

const surfaceName = (stored: string) => surfaces.find((s) => s.value === stored)?.label ?? humanize(stored);

const filters = [
  { name: "actor", label: "User type", options: toOptions(["USER", "KEY", "OPERATOR", "SYSTEM"]) },
  {
    name: "surface",
    label: "Source",
    options: surfaces,
  },
  {
    name: "entity",
    label: "Record type",
    options: [
      "apiKey",
      "approval",
      "company",
      "deal",
      "form",
      "lead",
      "merchant",
      "payment",
      "payout",
      "role",
      "stipulation",
      "submission",
      "user",
      "webhookEndpoint",
    ].map((value) => ({ value, label: humanize(value.replace(/([a-z])([A-Z])/g, "$1_$2")) })),
  },
];

/** Formats the stored name of a record or action: deal.create becomes Deal create. */
const humanizeName = (stored: string) => humanize(stored.replace(/([a-z])([A-Z])/g, "$1_$2").replaceAll(".", "_"));

/** The audit log of all writes, newest first. */
export function Audit() {
  const [selected, setSelected] = useState<Row>();
  const columns: Column<Row, AuditEntrySortField>[] = [
    {
      title: "Action",
      sort: "ID",
      cell: (r) => (
        <Anchor component="button" type="button" inherit onClick={() => setSelected(r)}>
          {humanizeName(r.action)}
        </Anchor>
      ),
      csv: (r) => r.action,
    },
    {
      title: "Record",
      cell: (r) => `${humanizeName(r.entity)} ${r.entityId}`,
      csv: (r) => `${r.entity} ${r.entityId}`,
    },
    { title: "User", cell: (r) => r.actorName, csv: (r) => `${r.actorKind} ${r.actorName}` },
    { title: "Source", cell: (r) => surfaceName(r.surface), csv: (r) => r.surface },
    { title: "When", cell: (r) => <Instant at={r.createdAt} />, csv: (r) => r.createdAt },
    { title: "Request", cell: (r) => r.requestId.slice(0, 12), csv: (r) => r.requestId },
  ];
  return (
    <Stack>
      <PageHeader title="Audit log" />
      <DataTable
        name="audit entries"
        document={AuditEntriesDocument}
        connection={(data) => data.auditEntries}
        variables={(value) => ({
          filter: { actorKind: value("actor"), surface: value("surface"), entity: value("entity") },
        })}
        columns={columns}
        defaultSort="-ID"
        rowKey={(r) => r.id}
        filters={filters}
        empty="No activity yet."
      />
      <Modal
        opened={selected !== undefined}
        onClose={() => setSelected(undefined)}
        title={selected ? humanizeName(selected.action) : ""}
        size="xl"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {selected && (
          <Stack>
            <Fields
              label="Entry"
              items={[
                ["User", `${selected.actorName} (${humanize(selected.actorKind).toLowerCase()})`],
                ["When", <Instant key="when" at={selected.createdAt} />],
                ["Source", surfaceName(selected.surface)],
                ["Request", selected.requestId],
              ]}
            />
            <RawJson value={diff(selected)} label="Changes" />
          </Stack>
        )}
      </Modal>
    </Stack>
  );
}
