import { Stack } from "@mantine/core";
import { DataTable } from "../../components/DataTable";
import { count, money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { StateBadge } from "../../components/StateBadge";
import { type Column, chosen } from "../../components/table";
import { PayoutBatchesDocument, type PayoutBatchesQuery, type PayoutBatchSortField } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { CreatePayout } from "./CreatePayout";
import {
  creatorName,
  itemTotals,
  kindNames,
  kindOptions,
  kinds,
  payoutTitle,
  period,
  statuses,
  statusName,
  statusOptions,
} from "./labels";

type Row = NonNullable<PayoutBatchesQuery["payouts"]>["nodes"][number];

/** The number of items that need attention: on hold or failed. */
function needAttention(row: Row): number {
  return itemTotals(row, "HELD").count + itemTotals(row, "FAILED").count;
}

const columns: Column<Row, PayoutBatchSortField>[] = [
  { title: "Payout", sort: "ID", nowrap: true, cell: payoutTitle, csv: (r) => r.id },
  { title: "Type", cell: (r) => kindNames[r.kind], csv: (r) => r.kind },
  { title: "Period", sort: "PERIOD_FROM", cell: period, csv: (r) => `${r.periodFrom}/${r.periodTo}` },
  {
    title: "Status",
    nowrap: true,
    cell: (r) => <StateBadge state={r.status} label={statusName(r.status)} />,
    csv: (r) => r.status,
  },
  { title: "Items", right: true, cell: (r) => count(r.total?.count), csv: (r) => r.total?.count },
  { title: "Total", right: true, cell: (r) => money(r.total?.amount), csv: (r) => r.total?.amount },
  {
    title: "On hold or failed",
    right: true,
    cell: (r) => (needAttention(r) === 0 ? none : count(needAttention(r))),
    csv: needAttention,
  },
  { title: "Created by", cell: creatorName, csv: (r) => r.createdBy?.name },
  { title: "Approved by", cell: (r) => r.approvedBy?.name ?? none, csv: (r) => r.approvedBy?.name },
  { title: "Created", sort: "CREATED_AT", cell: (r) => <Instant at={r.createdAt} date />, csv: (r) => r.createdAt },
];

const filters = [
  { name: "status", label: "Status", options: statusOptions },
  { name: "kind", label: "Type", options: kindOptions },
];

export function Payouts() {
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Payouts" actions={can("payouts.make") && can("payouts:write") && <CreatePayout />} />
      <DataTable
        name="payouts"
        document={PayoutBatchesDocument}
        connection={(data) => data.payouts}
        variables={(value) => ({
          filter: { status: chosen(value("status"), statuses), kind: chosen(value("kind"), kinds) },
        })}
        columns={columns}
        defaultSort="-CREATED_AT"
        rowKey={(r) => r.id}
        to={(r) => `/payouts/${r.id}`}
        filters={filters}
        empty="No payouts yet. Commission payouts are drafted as deals fund; create syndicator payouts here."
      />
    </Stack>
  );
}
