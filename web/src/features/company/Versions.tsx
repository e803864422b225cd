import { Table } from "@mantine/core";
import { Instant } from "../../components/Instant";
import { Section } from "../../components/Section";
import { SmallTable } from "../../components/SmallTable";

type Version = { id: string; version: number; title: string; summary?: string; at: string };

/** Lists the versions of a policy, the active one first. Versions never change. */
export function Versions({ versions }: { versions: Version[] }) {
  return (
    <Section title="Versions">
      <SmallTable
        label="Versions"
        region="Table of versions"
        minWidth={360}
        head={
          <>
            <Table.Th>Version</Table.Th>
            <Table.Th>Description</Table.Th>
            <Table.Th>Created</Table.Th>
          </>
        }
      >
        {versions.map((v) => (
          <Table.Tr key={v.id}>
            <Table.Td>{v.version}</Table.Td>
            <Table.Td>{[v.title, v.summary].filter(Boolean).join(", ")}</Table.Td>
            <Table.Td>
              <Instant at={v.at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
    </Section>
  );
}
