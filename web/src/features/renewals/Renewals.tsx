import { Anchor, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ActionButton } from "../../components/ActionButton";
import { DataTable } from "../../components/DataTable";
import { count, money, none, percent } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { StateBadge } from "../../components/StateBadge";
import { type Column, chosen } from "../../components/table";
import {
  type RenewalOpportunitySortField,
  RenewalsDocument,
  type RenewalsQuery,
  ScanRenewalsDocument,
} from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { statuses, statusName, statusOptions } from "./labels";
import { RenewalActions } from "./RenewalActions";
import { RenewalResult } from "./RenewalResult";

type Row = NonNullable<RenewalsQuery["renewals"]>["nodes"][number];

const columns: Column<Row, RenewalOpportunitySortField>[] = [
  { title: "Deal", nowrap: true, cell: (r) => r.priorDeal?.dealNumber ?? none, csv: (r) => r.priorDeal?.dealNumber },
  {
    title: "Merchant",
    cell: (r) =>
      r.merchant ? (
        <Anchor component={Link} to={`/merchants/${r.merchant.id}`} inherit>
          {r.merchant.legalName}
        </Anchor>
      ) : (
        none
      ),
    csv: (r) => r.merchant?.legalName,
  },
  {
    title: "Paid down",
    sort: "PAID_DOWN_PCT",
    right: true,
    cell: (r) => percent(r.paidDownPct),
    csv: (r) => r.paidDownPct,
  },
  {
    title: "Outstanding",
    sort: "OUTSTANDING",
    right: true,
    cell: (r) => money(r.outstanding),
    csv: (r) => r.outstanding,
  },
  {
    title: "Status",
    nowrap: true,
    cell: (r) => <StateBadge state={r.status} label={statusName(r.status)} />,
    csv: (r) => r.status,
  },
  {
    title: "Eligible since",
    sort: "CREATED_AT",
    cell: (r) => <Instant at={r.createdAt} date />,
    csv: (r) => r.createdAt,
  },
  {
    title: "Result",
    cell: (r) => <RenewalResult renewal={r} />,
    csv: (r) => r.renewalDeal?.dealNumber ?? r.dismissedReason,
  },
  { title: "Actions", cell: (r) => <RenewalActions renewal={r} /> },
];

const filters = [{ name: "status", label: "Status", options: statusOptions }];

/** Lists the deals that are eligible for renewal, with the result of each. */
export function Renewals() {
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Renewals" actions={can("renewals:write") && <FindRenewals />} />
      <DataTable
        name="renewals"
        document={RenewalsDocument}
        connection={(data) => data.renewals}
        variables={(value) => ({ filter: { status: chosen(value("status"), statuses) } })}
        columns={columns}
        defaultSort="-PAID_DOWN_PCT"
        rowKey={(r) => r.id}
        to={(r) => `/deals/${r.priorDeal?.id}`}
        filters={filters}
        empty="No deals are eligible for renewal. Deals that are paid down enough and current appear here each morning."
      />
    </Stack>
  );
}

/** Looks for eligible deals now; otherwise this runs every morning. */
function FindRenewals() {
  const [scan] = useGraphMutation(ScanRenewalsDocument);
  const run = async () => {
    const { data, problem } = await scan({});
    if (problem) {
      showProblem(problem);
      return;
    }
    const counts = data.scanRenewals;
    showSuccess(`${count(counts?.opened)} new, ${count(counts?.closed)} closed, ${count(counts?.updated)} updated.`);
  };
  return <ActionButton label="Find renewals" size="sm" run={run} />;
}
