import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { DealLink } from "../../components/DealLink";
import { Export } from "../../components/Export";
import { money, none, percent } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { StaticTable } from "../../components/StaticTable";
import { type Column, csvColumns } from "../../components/table";
import { graphQuery } from "../../gql/client";
import { SyndicatorParticipationsDocument, type SyndicatorParticipationsQuery } from "../../gql/documents";

type Row = NonNullable<NonNullable<SyndicatorParticipationsQuery["syndicator"]>["participations"]>[number];

const columns: Column<Row, never>[] = [
  {
    title: "Deal",
    nowrap: true,
    cell: (r) => <DealLink deal={r.deal} tab="participations" />,
    csv: (r) => r.deal?.dealNumber,
  },
  { title: "Merchant", cell: (r) => r.deal?.merchant?.legalName ?? none, csv: (r) => r.deal?.merchant?.legalName },
  { title: "Stage", cell: (r) => (r.deal ? <StateBadge state={r.deal.state} /> : none), csv: (r) => r.deal?.state },
  { title: "Percent", right: true, cell: (r) => percent(r.percent), csv: (r) => r.percent },
  { title: "Invested", right: true, cell: (r) => money(r.amount), csv: (r) => r.amount },
  { title: "Collected", right: true, cell: (r) => money(r.figures?.collected), csv: (r) => r.figures?.collected },
  { title: "Fees", right: true, cell: (r) => money(r.figures?.charged), csv: (r) => r.figures?.charged },
  { title: "Paid out", right: true, cell: (r) => money(r.figures?.paidOut), csv: (r) => r.figures?.paidOut },
  {
    title: "Outstanding",
    right: true,
    cell: (r) => money(r.figures?.outstanding),
    csv: (r) => r.figures?.outstanding,
  },
  {
    title: "Funded",
    cell: (r) => (r.fundedAt ? <Instant at={r.fundedAt} date /> : "Planned"),
    csv: (r) => r.fundedAt,
  },
];

/** A syndicator's participations, newest first. */
export function SyndicatorParticipations({ id }: { id: string }) {
  const result = useQuery(graphQuery(SyndicatorParticipationsDocument, { id }));
  const rows = result.data?.syndicator?.participations?.toReversed();
  const file = csvColumns(columns);
  return (
    <Section
      title="Participations"
      actions={
        rows &&
        rows.length > 0 && (
          <Export
            name="participations"
            titles={file.titles}
            page={() => ({ rows: rows.map(file.cells), next: null, total: rows.length })}
          />
        )
      }
    >
      <Loaded noun="participations" record={rows} error={result.error} retry={result.refetch}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">No participations yet. Add this syndicator from a priced deal.</Text>
          ) : (
            <StaticTable label="Participations" columns={columns} rows={all} rowKey={(r) => r.id} minWidth={960} />
          )
        }
      </Loaded>
    </Section>
  );
}
