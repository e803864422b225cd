import { Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { FormDialog } from "../../components/FormDialog";
import { humanize, money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import {
  DealDisbursementsDocument,
  type DealDisbursementsQuery,
  type DisbursementMove,
  type DisbursementStatus,
  MoveDisbursementDocument,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { methodOptions } from "../payments/fields";

type Disbursement = NonNullable<NonNullable<DealDisbursementsQuery["deal"]>["disbursements"]>[number];

const referenceFields: FormField[] = [
  { name: "externalTransferId", label: "Bank reference" },
  { name: "referenceId", label: "Reference ID" },
];

/** Label and fields of each status change. */
const statusForms: Partial<Record<DisbursementStatus, { label: string; fields: FormField[] }>> = {
  SENT: {
    label: "Mark sent",
    fields: [{ name: "method", label: "Method", kind: "choice", options: methodOptions }, ...referenceFields],
  },
  SETTLED: { label: "Mark settled", fields: referenceFields },
  FAILED: { label: "Mark failed", fields: [{ name: "failureReason", label: "Reason", kind: "long", required: true }] },
  CANCELLED: { label: "Cancel", fields: [{ name: "referenceId", label: "Reference ID" }] },
};

const nextStatuses: Record<DisbursementStatus, DisbursementStatus[]> = {
  PENDING: ["SENT", "FAILED", "CANCELLED"],
  SENT: ["SETTLED", "FAILED"],
  SETTLED: ["FAILED"],
  FAILED: ["SENT", "CANCELLED"],
  CANCELLED: [],
};

/** Lists what is paid out to the merchant, and the status of each transfer. */
export function Disbursements({ dealId }: { dealId: string }) {
  const can = useCan();
  const result = useQuery(graphQuery(DealDisbursementsDocument, { id: dealId }));
  const all = result.data?.deal?.disbursements ?? [];
  if (all.length === 0) {
    return null;
  }
  return (
    <Section title="Disbursements">
      <SmallTable
        label="Disbursements"
        verticalSpacing={6}
        region="Table of disbursements"
        minWidth={560}
        head={
          <>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
            <Table.Th>Method</Table.Th>
            <Table.Th>Transfer</Table.Th>
            <Table.Th>Updated</Table.Th>
            <Table.Th>Actions</Table.Th>
          </>
        }
      >
        {all.map((d) => (
          <Table.Tr key={d.id}>
            <Table.Td>
              <StateBadge state={d.status} />
              {d.status === "FAILED" && (
                <Text size="xs" c="dimmed">
                  {d.failureReason}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right">{money(d.amount)}</Table.Td>
            <Table.Td>{d.method === "ACH" ? d.method : humanize(d.method)}</Table.Td>
            <Table.Td>{[d.externalTransferId, d.referenceId].filter(Boolean).join(", ") || none}</Table.Td>
            <Table.Td>
              <Instant at={d.failedAt ?? d.settledAt ?? d.sentAt ?? d.createdAt} />
            </Table.Td>
            <Table.Td>{can("payments:write") ? <StatusButtons disbursement={d} /> : none}</Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
    </Section>
  );
}

function StatusButtons({ disbursement: d }: { disbursement: Disbursement }) {
  const [move] = useGraphMutation(MoveDisbursementDocument);
  return (
    <Group gap={6}>
      {nextStatuses[d.status].map((status) => {
        const { label, fields } = statusForms[status] ?? { label: humanize(status), fields: [] };
        return (
          <FormDialog
            key={status}
            label={label}
            name={`${label}: ${money(d.amount)}`}
            size="xs"
            variant="default"
            fields={fields}
            submitLabel={label}
            save={async (changes) => {
              const { problem } = await move({ id: d.id, input: { ...changes, status } as DisbursementMove });
              if (!problem) {
                showSuccess(`The transfer of ${money(d.amount)} is ${status.toLowerCase()}.`);
              }
              return problem;
            }}
          />
        );
      })}
    </Group>
  );
}
