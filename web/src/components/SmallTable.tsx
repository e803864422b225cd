import { Table, type TableProps } from "@mantine/core";
import type { ReactNode } from "react";

type Props = Pick<TableProps, "verticalSpacing" | "highlightOnHover"> & {
  /** What screen readers call the table. */
  label: string;
  /** What they call the area that it scrolls in. */
  region: string;
  /** In pixels; a narrower screen scrolls the table. */
  minWidth: number;
  /** The cells of the head row. */
  head: ReactNode;
  /** The rows of the body. */
  children: ReactNode;
};

/** SmallTable is a table without pages or sorting that scrolls on a narrow screen. */
export function SmallTable({ label, region, minWidth, head, children, ...table }: Props) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": region } }}
    >
      <Table aria-label={label} {...table}>
        <Table.Thead>
          <Table.Tr>{head}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
