import { Table } from "@mantine/core";
import { Instant } from "../../components/Instant";
import { Section } from "../../components/Section";

type Version = { id: string; version: number; title: string; summary?: string; at: string };

/** Versions lists those that a policy has had, the one in force first. None of them ever changes. */
export function Versions({ of }: { of: Version[] }) {
  return (
    <Section title="Versions">
      <Table.ScrollContainer
        minWidth={360}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "Table of versions" } }}
      >
        <Table aria-label="Versions">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Version</Table.Th>
              <Table.Th>Description</Table.Th>
              <Table.Th>Created</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.map((v) => (
              <Table.Tr key={v.id}>
                <Table.Td>{v.version}</Table.Td>
                <Table.Td>{[v.title, v.summary].filter(Boolean).join(", ")}</Table.Td>
                <Table.Td>
                  <Instant at={v.at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
