import { Anchor, Card, Stack, Table, Text, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import classes from "./DataTable.module.css";
import type { Column, SetSearch, Sort } from "./table";

type Props<Row, Field extends string> = {
  name: string;
  columns: Column<Row, Field>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The row's link, on its first column. */
  to?: ((row: Row) => string) | undefined;
};

/** Shows rows as a table, on wide screens. The arrow keys move between its links. */
export function Grid<Row, Field extends string>({
  name,
  columns,
  rows,
  rowKey,
  to,
  compact,
  sort,
  set,
}: Props<Row, Field> & { compact: boolean; sort: Sort; set: SetSearch }) {
  return (
    <Table.ScrollContainer
      minWidth={600}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": `Table of ${name}` } }}
    >
      <Table highlightOnHover verticalSpacing={compact ? 3 : 7} stickyHeader aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((c) => (
              <Heading key={c.title} column={c} sort={sort} set={set} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onKeyDown={moveFocus}>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((c, i) => (
                <Table.Td key={c.title} className={c.right ? classes.right : c.nowrap ? classes.nowrap : undefined}>
                  <MaybeLink to={i === 0 ? to?.(row) : undefined}>{c.cell(row)}</MaybeLink>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Moves between rows with the arrow keys. Enter follows the link. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [
    ...event.currentTarget.querySelectorAll<HTMLElement>("tr > td:first-child a, tr > td:first-child button"),
  ];
  const current = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  if (step && current >= 0) {
    event.preventDefault();
    links[current + step]?.focus();
  }
}

function Heading<Row, Field extends string>({
  column,
  sort,
  set,
}: {
  column: Column<Row, Field>;
  sort: Sort;
  set: SetSearch;
}) {
  const direction = sort && sort.field === column.sort ? sort.direction : undefined;
  if (!column.sort) {
    return <Table.Th className={column.right ? classes.right : undefined}>{column.title}</Table.Th>;
  }
  return (
    <Table.Th
      className={column.right ? classes.right : undefined}
      aria-sort={direction === "ASC" ? "ascending" : direction === "DESC" ? "descending" : "none"}
    >
      <UnstyledButton
        className={classes.sort}
        onClick={() => set({ sort: direction === "ASC" ? `-${column.sort}` : column.sort })}
      >
        {column.title}
        {direction === "ASC" && <ArrowUp size={14} aria-hidden />}
        {direction === "DESC" && <ArrowDown size={14} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}

/** Shows each row as a card, on narrow screens. */
export function Cards<Row, Field extends string>({ name, columns, rows, rowKey, to }: Props<Row, Field>) {
  const [first, ...others] = columns;
  return (
    <Stack component="ul" gap="xs" aria-label={name} className={classes.cards}>
      {rows.map((row) => (
        <Card component="li" withBorder padding="sm" key={rowKey(row)}>
          <Text component="div" fw={600}>
            <MaybeLink to={to?.(row)}>{first?.cell(row)}</MaybeLink>
          </Text>
          <dl className={classes.pairs}>
            {others.map((c) => (
              <div key={c.title}>
                <dt>{c.title}</dt>
                <dd>{c.cell(row)}</dd>
              </div>
            ))}
          </dl>
        </Card>
      ))}
    </Stack>
  );
}

function MaybeLink({ to, children }: { to: string | undefined; children: ReactNode }) {
  return to ? (
    <Anchor component={Link} to={to} inherit>
      {children}
    </Anchor>
  ) : (
    children
  );
}
