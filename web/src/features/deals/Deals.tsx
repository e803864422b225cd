import { SegmentedControl, Stack } from "@mantine/core";
import { DataTable } from "../../components/DataTable";
import { money, none, rate } from "../../components/format";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import { StateBadge } from "../../components/StateBadge";
import { type Column, chosen, useTableSearch } from "../../components/table";
import { type DealSortField, DealsDocument, type DealsQuery } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { Board } from "./Board";
import { NewDealButton } from "./NewDealButton";
import { dealStates, productName, stateOptions } from "./states";

type Row = NonNullable<DealsQuery["deals"]>["nodes"][number];

const columns: Column<Row, DealSortField>[] = [
  { title: "Deal", sort: "DEAL_NUMBER", nowrap: true, cell: (r) => r.dealNumber, csv: (r) => r.dealNumber },
  { title: "Merchant", cell: (r) => r.merchant?.legalName ?? none, csv: (r) => r.merchant?.legalName },
  { title: "Stage", sort: "STATE", cell: (r) => <StateBadge state={r.state} />, csv: (r) => r.state },
  { title: "Product", cell: (r) => productName(r.productType), csv: (r) => r.productType },
  { title: "Broker", cell: (r) => r.iso?.name ?? none, csv: (r) => r.iso?.name },
  {
    title: "Funded",
    sort: "FUNDED_AMOUNT",
    right: true,
    cell: (r) => money(r.fundedAmount),
    csv: (r) => r.fundedAmount,
  },
  { title: "Factor rate", right: true, cell: (r) => rate(r.factorRate), csv: (r) => r.factorRate },
  {
    title: "Payback",
    sort: "PAYBACK_AMOUNT",
    right: true,
    cell: (r) => money(r.paybackAmount),
    csv: (r) => r.paybackAmount,
  },
  { title: "Funded on", sort: "FUNDED_AT", cell: (r) => <Instant at={r.fundedAt} date />, csv: (r) => r.fundedAt },
  { title: "Created", sort: "CREATED_AT", cell: (r) => <Instant at={r.createdAt} relative />, csv: (r) => r.createdAt },
];

export function Deals() {
  const { value, set } = useTableSearch();
  const can = useCan();
  const board = value("view") === "board";
  return (
    <Stack>
      <PageHeader
        title="Deals"
        actions={
          <>
            <SegmentedControl
              aria-label="View"
              data={[
                { value: "list", label: "List" },
                { value: "board", label: "Board" },
              ]}
              value={board ? "board" : "list"}
              onChange={(view) => set({ view: view === "board" ? view : undefined })}
            />
            {can("deals:write") && <NewDealButton />}
          </>
        }
      />
      {board ? (
        <Board />
      ) : (
        <DataTable
          name="deals"
          document={DealsDocument}
          connection={(data) => data.deals}
          variables={(value) => ({ filter: { q: value("q"), state: chosen(value("state"), dealStates) } })}
          columns={columns}
          defaultSort="-CREATED_AT"
          rowKey={(r) => r.id}
          to={(r) => `/deals/${r.id}`}
          filters={[{ name: "state", label: "Stage", options: stateOptions }]}
          search="Search deals"
          empty="No deals yet. Create one for a merchant."
        />
      )}
    </Stack>
  );
}
