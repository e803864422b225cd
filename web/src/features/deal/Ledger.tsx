import { Group, Table } from "@mantine/core";
import { Export, type Page } from "../../components/Export";
import { humanize, money, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { SmallTable } from "../../components/SmallTable";
import { DealLedgerDocument } from "../../gql/documents";
import { readRows } from "../../gql/request";
import { DealList } from "./DealList";

/** Lists a deal's journal entries, newest first, with their lines. A positive line is a debit. */
export default function Ledger({ id }: { id: string }) {
  return (
    <DealList
      id={id}
      noun="entries"
      document={DealLedgerDocument}
      list={(data) => data.deal?.ledgerEntries}
      empty="No entries yet. The first is posted when the deal is funded."
    >
      {(entries) => (
        <>
          <ExportLedger id={id} />
          <SmallTable
            label="Entries"
            region="Table of entries"
            minWidth={620}
            head={
              <>
                <Table.Th>Date</Table.Th>
                <Table.Th>Description</Table.Th>
                <Table.Th>Account</Table.Th>
                <Table.Th ta="right">Debit</Table.Th>
                <Table.Th ta="right">Credit</Table.Th>
              </>
            }
          >
            {entries.flatMap((entry) =>
              (entry.postings ?? []).map((line, i) => (
                <Table.Tr key={line.id}>
                  <Table.Td>{i === 0 && <Instant at={entry.occurredAt} />}</Table.Td>
                  <Table.Td>{i === 0 && [humanize(entry.kind), entry.memo].filter(Boolean).join(": ")}</Table.Td>
                  <Table.Td>{line.account}</Table.Td>
                  <Table.Td ta="right">{line.amount.startsWith("-") ? none : money(line.amount)}</Table.Td>
                  <Table.Td ta="right">{line.amount.startsWith("-") ? money(line.amount.slice(1)) : none}</Table.Td>
                </Table.Tr>
              )),
            )}
          </SmallTable>
        </>
      )}
    </DealList>
  );
}

/** Exports all entries, one row per line. */
function ExportLedger({ id }: { id: string }) {
  const page = async (after: string | null): Promise<Page> => {
    const variables = { id, first: 200, after };
    const connection = await readRows(DealLedgerDocument, variables, (data) => data.deal?.ledgerEntries);
    return {
      rows: connection.nodes.flatMap((entry) =>
        (entry.postings ?? []).map((line) => [
          entry.id,
          entry.occurredAt,
          entry.kind,
          entry.memo,
          line.account,
          line.amount.startsWith("-") ? "" : line.amount,
          line.amount.startsWith("-") ? line.amount.slice(1) : "",
        ]),
      ),
      next: connection.pageInfo.hasNextPage ? connection.pageInfo.endCursor : null,
    };
  };
  return (
    <Group justify="flex-end">
      <Export
        name="ledger entries"
        titles={["Entry", "Date", "Kind", "Memo", "Account", "Debit", "Credit"]}
        page={page}
      />
    </Group>
  );
}
