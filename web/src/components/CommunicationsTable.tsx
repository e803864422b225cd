import { Stack, Table, Text } from "@mantine/core";
import type { CommunicationFieldsFragment } from "../gql/documents";
import { humanize, none } from "./format";
import { Instant } from "./Instant";
import { SmallTable } from "./SmallTable";

/** Formats seconds as minutes and seconds: 3:07. */
function duration(seconds: number | null): string {
  return seconds === null ? none : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Lists calls and messages, newest first. */
export function CommunicationsTable({ items, total }: { items: CommunicationFieldsFragment[]; total: number }) {
  if (items.length === 0) {
    return <Text c="dimmed">No calls or messages yet.</Text>;
  }
  return (
    <Stack gap="xs">
      <SmallTable
        label="Calls and messages"
        region="Table of calls and messages"
        minWidth={500}
        head={
          <>
            <Table.Th>When</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th>To</Table.Th>
            <Table.Th>Text or length</Table.Th>
          </>
        }
      >
        {items.map((c) => (
          <Table.Tr key={c.id}>
            <Table.Td>
              <Instant at={c.occurredAt} />
            </Table.Td>
            <Table.Td>
              {c.channel === "SMS" ? "Message" : "Call"}, {humanize(c.direction).toLowerCase()}
            </Table.Td>
            <Table.Td>{c.fromAddr ?? none}</Table.Td>
            <Table.Td>{c.toAddr ?? none}</Table.Td>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{c.body ?? duration(c.durationSec)}</Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
      {total > items.length && (
        <Text size="sm" c="dimmed">
          Showing the newest {items.length} of {total}.
        </Text>
      )}
    </Stack>
  );
}
