import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { SortDirection } from "../gql/documents";

// The search parameters of a list: text, sort, page, and a value for each filter.

export type TableSearch = Record<string, string | undefined>;

/** Column is a column of a list. The cell and its CSV value may differ. */
export type Column<Row, Field extends string> = {
  title: string;
  /** The field that the server sorts by, where it can. */
  sort?: Field;
  /** Amounts and numbers stand at the right. */
  right?: boolean;
  /** Short values, such as numbers and dates, stay on one line. */
  whole?: boolean;
  cell: (row: Row) => ReactNode;
  /** Its value in a CSV file; without it the column is not exported. */
  csv?: (row: Row) => string | number | null | undefined;
};

/** Sort is the order that the server is asked for. */
export type Sort = { field: string; direction: SortDirection } | undefined;

/** SetSearch changes search parameters. */
export type SetSearch = (changes: TableSearch) => void;

export type Filter = { name: string; label: string; options: { value: string; label: string }[] };

/** useTableSearch reads and writes a list's search parameters. Any change leads back to the first page. */
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

/** sortOf reads -CREATED_AT as newest first. A field that the list cannot sort by is ignored. */
export function sortOf<Field extends string>(text: string | undefined, fields: readonly Field[], otherwise: string) {
  const pick = (candidate: string) => {
    const field = candidate.replace(/^-/, "") as Field;
    const direction: SortDirection = candidate.startsWith("-") ? "DESC" : "ASC";
    return fields.includes(field) ? { field, direction } : undefined;
  };
  return (text && pick(text)) || pick(otherwise) || undefined;
}

/** chosen is a filter's value, if it is a valid one. */
export function chosen<Value extends string>(text: string | undefined, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === text);
}

/** isFiltered reports whether a search or filter is set. */
export function isFiltered(value: (key: string) => string | undefined, filters: readonly Filter[]): boolean {
  return [...filters.map((f) => f.name), "q"].some((key) => value(key));
}

// Cursors only go forward. The previous page is remembered until a reload; after that, back leads to the first.
const before = new Map<string, string>();
export const cameFrom = (cursor: string) => before.get(cursor);
export function remember(cursor: string, previous: string | undefined) {
  if (previous) {
    before.set(cursor, previous);
  }
}

/** ofFile is the CSV form of columns: their titles and the cells of a row. */
export function ofFile<Row, Field extends string>(columns: Column<Row, Field>[]) {
  const told = columns.flatMap((c) => (c.csv ? [{ title: c.title, csv: c.csv }] : []));
  return { titles: told.map((c) => c.title), cells: (row: Row) => told.map((c) => c.csv(row)) };
}
