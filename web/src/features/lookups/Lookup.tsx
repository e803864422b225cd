import { ActionIcon, Group, Stack, Table, Text } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { FormDialog } from "../../components/FormDialog";
import type { Changes, FormField } from "../../components/RecordForm";
import { SmallTable } from "../../components/SmallTable";
import { showProblem, showSuccess } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import { useCan } from "../../session/permissions";

/** The result of a change. */
type Result = Promise<{ problem?: Problem | undefined }>;

type Props<Row> = {
  /** A description of the list. */
  description: string;
  /** What an entry is called, in lowercase. */
  noun: string;
  rows: Row[];
  nameOf: (row: Row) => string;
  columns: { title: string; right?: boolean; cell: (row: Row) => ReactNode }[];
  /** The fields that can be edited. */
  fields: FormField[];
  update: (id: string, input: Changes) => Result;
  /** Fields and mutation of a new entry. Without it the list cannot grow. */
  creation?: { fields: FormField[]; create: (input: Changes) => Result };
  /** Takes all ids in their new order. Without it the order is fixed. */
  reorder?: (ids: string[]) => Result;
};

/** Wraps a mutation: shows a success message, or returns the problem. */
const withMessage = (mutate: (input: Changes) => Result, message: string) => async (input: Changes) => {
  const { problem } = await mutate(input);
  if (!problem) {
    showSuccess(message);
  }
  return problem;
};

/** A list that staff choose from. Editing it needs the permission for company settings. */
export function Lookup<Row extends { id: string }>(props: Props<Row>) {
  const { description, noun, rows, nameOf, columns, reorder } = props;
  const canEdit = useCan()("edit-company-settings");
  const move = async (index: number, offset: number) => {
    const ids = rows.map((row) => row.id);
    const [id] = ids.splice(index, 1);
    if (id && reorder) {
      ids.splice(index + offset, 0, id);
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
          {description}
        </Text>
        {canEdit && props.creation && (
          <FormDialog
            label={`New ${noun}`}
            size="xs"
            fields={props.creation.fields}
            submitLabel="Create"
            save={withMessage(props.creation.create, `Created ${noun}.`)}
          />
        )}
      </Group>
      <SmallTable
        label={noun}
        verticalSpacing={6}
        region={`Table of ${noun} entries`}
        minWidth={560}
        head={
          <>
            {columns.map((c) => (
              <Table.Th key={c.title} ta={c.right ? "right" : undefined}>
                {c.title}
              </Table.Th>
            ))}
            {canEdit && <Table.Th>Actions</Table.Th>}
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
            {canEdit && (
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
                    save={withMessage((input) => props.update(row.id, input), `Saved ${noun}.`)}
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
