import { Table, type TableProps } from "@mantine/core";
import type { ReactNode } from "react";

type Props = Pick<TableProps, "verticalSpacing" | "highlightOnHover"> & {
  /** Accessible name of the table. */
  label: string;
  /** Accessible name of the scroll area. */
  region: string;
  /** In pixels; a narrower screen scrolls the table. */
  minWidth: number;
  /** Header cells. */
  head: ReactNode;
  /** Body rows. */
  children: ReactNode;
};

/** A plain table that scrolls on narrow screens. */
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
