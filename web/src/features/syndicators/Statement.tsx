import { Group, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { DealLink } from "../../components/DealLink";
import { Export } from "../../components/Export";
import { addDays, humanize, money, useZone } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { Section } from "../../components/Section";
import { StaticTable } from "../../components/StaticTable";
import { type Column, csvColumns, useTableSearch } from "../../components/table";
import { graphQuery } from "../../gql/client";
import { SyndicatorStatementDocument, type SyndicatorStatementQuery } from "../../gql/documents";

type Row = NonNullable<SyndicatorStatementQuery["syndicatorStatement"]>["lines"][number] & { key: string };

/** The accounts of a statement, by code. */
const accounts: Record<string, string> = { "2110": "Payable", "2120": "Wallet" };

const columns: Column<Row, never>[] = [
  { title: "Date", nowrap: true, cell: (r) => <Instant at={r.occurredAt} />, csv: (r) => r.occurredAt },
  {
    title: "Description",
    cell: (r) => r.memo ?? humanize(r.kind),
    csv: (r) => [humanize(r.kind), r.memo].filter(Boolean).join(": "),
  },
  {
    title: "Deal",
    nowrap: true,
    cell: (r) => <DealLink deal={r.deal} tab="participations" />,
    csv: (r) => r.deal?.dealNumber,
  },
  { title: "Account", cell: (r) => accounts[r.account] ?? r.account, csv: (r) => r.account },
  { title: "Amount", right: true, cell: (r) => money(r.amount), csv: (r) => r.amount },
  { title: "Balance", right: true, cell: (r) => money(r.balance), csv: (r) => r.balance },
];

/** Default period, in days. */
const defaultDays = 30;

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** A statement of a syndicator's wallet and payable accounts for a period, newest first. */
export function Statement({ id }: { id: string }) {
  const zone = useZone();
  const { value, set } = useTableSearch("statement-");
  const dateParam = (name: string, fallback: string) => {
    const text = value(name);
    return text && isDay(text) ? text : fallback;
  };
  const to = dateParam("to", zone.today());
  const from = dateParam("from", addDays(to, 1 - defaultDays));
  const result = useQuery(graphQuery(SyndicatorStatementDocument, { id, from, to }));
  const statement = result.data?.syndicatorStatement;
  const rows = statement?.lines.map((line, i) => ({ ...line, key: String(i) }));
  const file = csvColumns(columns);
  return (
    <Section
      title="Statement"
      actions={
        <Group gap="xs">
          <TextInput
            type="date"
            aria-label="From"
            size="xs"
            value={from}
            max={to}
            onChange={(e) => set({ from: e.currentTarget.value })}
          />
          <TextInput
            type="date"
            aria-label="To"
            size="xs"
            value={to}
            min={from}
            onChange={(e) => set({ to: e.currentTarget.value })}
          />
          {rows && rows.length > 0 && (
            <Export
              name="statement"
              titles={file.titles}
              page={() => ({ rows: rows.map(file.cells), next: null, total: rows.length })}
            />
          )}
        </Group>
      }
    >
      <Loaded noun="statement" record={statement} error={result.error} retry={result.refetch}>
        {({ opening, closing }) => (
          <>
            <Text size="sm">
              Wallet and payable: opening balance {money(opening)}, closing balance {money(closing)}.
            </Text>
            {rows && rows.length > 0 ? (
              <StaticTable label="Statement" columns={columns} rows={rows.toReversed()} rowKey={(r) => r.key} />
            ) : (
              <Text c="dimmed">No activity in this period.</Text>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
