import { ActionIcon, Group, Stack, Table, Text } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { FormDialog } from "../../components/FormDialog";
import type { Changes, FormField } from "../../components/RecordForm";
import { SmallTable } from "../../components/SmallTable";
import { showProblem, showSuccess } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import { useCan } from "../../session/permissions";

/** What becomes of an attempt to change a list. */
type Answer = Promise<{ problem?: Problem | undefined }>;

type Props<Row> = {
  /** What the list is, in words, for whoever wonders. */
  about: string;
  /** What one of its entries is called, in small letters. */
  what: string;
  rows: Row[];
  nameOf: (row: Row) => string;
  columns: { title: string; right?: boolean; cell: (row: Row) => ReactNode }[];
  /** What may be changed of an entry. */
  fields: FormField[];
  update: (id: string, input: Changes) => Answer;
  /** What a new entry is made of; without it there are none to make. */
  creation?: { fields: FormField[]; create: (input: Changes) => Answer };
  /** Takes all ids in their new order; without it the order is not the company's. */
  reorder?: (ids: string[]) => Answer;
};

/** saved tells that a change was made, and hands back why it was not. */
const saved = (act: (input: Changes) => Answer, said: string) => async (input: Changes) => {
  const { problem } = await act(input);
  if (!problem) {
    showSuccess(said);
  }
  return problem;
};

/** Lookup is one list that staff choose from, which whoever looks after the company's settings may change. */
export function Lookup<Row extends { id: string }>(props: Props<Row>) {
  const { about, what, rows, nameOf, columns, reorder } = props;
  const mayEdit = useCan()("edit-company-settings");
  const move = async (at: number, by: number) => {
    const ids = rows.map((row) => row.id);
    const [id] = ids.splice(at, 1);
    if (id && reorder) {
      ids.splice(at + by, 0, id);
      const { problem } = await reorder(ids);
      if (problem) {
        showProblem(problem);
      }
    }
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex={1} miw={240}>
          {about}
        </Text>
        {mayEdit && props.creation && (
          <FormDialog
            label={`New ${what}`}
            size="xs"
            fields={props.creation.fields}
            submitLabel="Create"
            save={saved(props.creation.create, `Created ${what}.`)}
          />
        )}
      </Group>
      <SmallTable
        label={what}
        verticalSpacing={6}
        region={`Table of ${what} entries`}
        minWidth={560}
        head={
          <>
            {columns.map((c) => (
              <Table.Th key={c.title} ta={c.right ? "right" : undefined}>
                {c.title}
              </Table.Th>
            ))}
            {mayEdit && <Table.Th>Actions</Table.Th>}
          </>
        }
      >
        {rows.map((row, i) => (
          <Table.Tr key={row.id}>
            {columns.map((c) => (
              <Table.Td key={c.title} ta={c.right ? "right" : undefined}>
                {c.cell(row)}
              </Table.Td>
            ))}
            {mayEdit && (
              <Table.Td>
                <Group gap={4} wrap="nowrap">
                  <FormDialog
                    label="Edit"
                    name={`Edit ${nameOf(row)}`}
                    size="compact-sm"
                    variant="default"
                    fields={props.fields}
                    initial={row}
                    submitLabel="Save"
                    save={saved((input) => props.update(row.id, input), `Saved ${what}.`)}
                  />
                  {reorder && (
                    <>
                      <ActionIcon
                        variant="subtle"
                        aria-label={`Move ${nameOf(row)} up`}
                        disabled={i === 0}
                        onClick={() => void move(i, -1)}
                      >
                        <ArrowUp size={16} aria-hidden />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        aria-label={`Move ${nameOf(row)} down`}
                        disabled={i === rows.length - 1}
                        onClick={() => void move(i, 1)}
                      >
                        <ArrowDown size={16} aria-hidden />
                      </ActionIcon>
                    </>
                  )}
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
        {rows.length === 0 && (
          <Table.Tr>
            <Table.Td colSpan={columns.length + 1}>None yet.</Table.Td>
          </Table.Tr>
        )}
      </SmallTable>
    </Stack>
  );
}
