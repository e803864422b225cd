import { Table } from "@mantine/core";
import classes from "./StaticTable.module.css";
import type { Column } from "./table";

type Props<Row> = {
  /** What the rows are. It names the table. */
  label: string;
  columns: Column<Row, never>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** In pixels; a narrower screen scrolls the table. */
  minWidth?: number;
};

/** A short table without paging. */
export function StaticTable<Row>({ label, columns, rows, rowKey, minWidth = 640 }: Props<Row>) {
  const cellClass = (c: Column<Row, never>) => (c.right ? classes.right : c.nowrap ? classes.nowrap : undefined);
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": `Table of ${label.toLowerCase()}` },
      }}
    >
      <Table aria-label={label} verticalSpacing={6} highlightOnHover className={classes.sheet}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((c) => (
              <Table.Th key={c.title} className={cellClass(c)}>
                {c.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((c) => (
                <Table.Td key={c.title} className={cellClass(c)}>
                  {c.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
