import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { SortDirection } from "../gql/documents";

// What a list's address says: the text looked for, the order, the page, and a value for each filter.

export type TableSearch = Record<string, string | undefined>;

/** Column is one of a list. What a person sees and what a file has of it may differ. */
export type Column<Row, Field extends string> = {
  title: string;
  /** The field that the server sorts by, where it can. */
  sort?: Field;
  /** Amounts and numbers stand at the right. */
  right?: boolean;
  /** What is short and read at a glance, as a number or a day, stays on one line. */
  whole?: boolean;
  cell: (row: Row) => ReactNode;
  /** What a file has of it; a column of buttons is in none. */
  csv?: (row: Row) => string | number | null | undefined;
};

/** Sort is the order that the server is asked for. */
export type Sort = { field: string; direction: SortDirection } | undefined;

/** SetSearch changes some of what the address says. */
export type SetSearch = (changes: TableSearch) => void;

export type Filter = { name: string; label: string; options: { value: string; label: string }[] };

/** useTableSearch reads and writes a list's part of the address. Whatever changes it leads back to the first page. */
export function useTableSearch(prefix = "") {
  const all = useSearch({ strict: false }) as TableSearch;
  const navigate = useNavigate();
  const name = (key: string) => prefix + key;
  const set = (changes: TableSearch) => {
    const named = Object.fromEntries(
      Object.entries({ after: undefined, ...changes }).map(([k, v]) => [name(k), v || undefined]),
    );
    void navigate({ to: ".", search: (old: TableSearch) => ({ ...old, ...named }) as never, resetScroll: false });
  };
  return { value: (key: string) => all[name(key)], set };
}

/** sortOf reads -CREATED_AT as the newest first. A field that the list cannot sort by is as good as none. */
export function sortOf<Field extends string>(text: string | undefined, fields: readonly Field[], otherwise: string) {
  const pick = (candidate: string) => {
    const field = candidate.replace(/^-/, "") as Field;
    const direction: SortDirection = candidate.startsWith("-") ? "DESC" : "ASC";
    return fields.includes(field) ? { field, direction } : undefined;
  };
  return (text && pick(text)) || pick(otherwise) || undefined;
}

/** chosen is a filter's value, if it is one that there is. */
export function chosen<Value extends string>(text: string | undefined, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === text);
}

/** isFiltered reports whether a list is asked for less than all of it. */
export function isFiltered(value: (key: string) => string | undefined, filters: readonly Filter[]): boolean {
  return [...filters.map((f) => f.name), "q"].some((key) => value(key));
}

// Pages are only walked forwards. Where one came from is known as long as this page is open; after that, back is the first.
const before = new Map<string, string>();
export const cameFrom = (cursor: string) => before.get(cursor);
export function remember(cursor: string, previous: string | undefined) {
  if (previous) {
    before.set(cursor, previous);
  }
}

/** ofFile is what a file has of rows: the titles of its columns, and the cells. */
export function ofFile<Row, Field extends string>(columns: Column<Row, Field>[]) {
  const told = columns.flatMap((c) => (c.csv ? [{ title: c.title, csv: c.csv }] : []));
  return { titles: told.map((c) => c.title), cells: (row: Row) => told.map((c) => c.csv(row)) };
}
