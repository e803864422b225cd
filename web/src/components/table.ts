import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { SortDirection } from "../gql/documents";

// The search parameters of a list: text, sort, page, and one per filter.

export type TableSearch = Record<string, string | undefined>;

/** A column of a list. The cell and its CSV value may differ. */
export type Column<Row, Field extends string> = {
  title: string;
  /** The server's sort field, if it can sort by this column. */
  sort?: Field;
  /** Aligns amounts and numbers right. */
  right?: boolean;
  /** Keeps short values, such as numbers and dates, on one line. */
  nowrap?: boolean;
  cell: (row: Row) => ReactNode;
  /** The value in the CSV file. Without it the column is not exported. */
  csv?: (row: Row) => string | number | null | undefined;
};

/** The sort order in the query. */
export type Sort = { field: string; direction: SortDirection } | undefined;

export type SetSearch = (changes: TableSearch) => void;

export type Filter = { name: string; label: string; options: { value: string; label: string }[] };

/** Reads and writes a list's search parameters. Any change returns to the first page. */
export function useTableSearch(prefix = "") {
  const all = useSearch({ strict: false }) as TableSearch;
  const navigate = useNavigate();
  const name = (key: string) => prefix + key;
  const set = (changes: TableSearch) => {
    const prefixed = Object.fromEntries(
      Object.entries({ after: undefined, ...changes }).map(([k, v]) => [name(k), v || undefined]),
    );
    void navigate({ to: ".", search: (old: TableSearch) => ({ ...old, ...prefixed }) as never, resetScroll: false });
  };
  return { value: (key: string) => all[name(key)], set };
}

/** Parses -CREATED_AT as newest first. Ignores a field that the list cannot sort by. */
export function parseSort<Field extends string>(text: string | undefined, fields: readonly Field[], fallback: string) {
  const parse = (candidate: string) => {
    const field = candidate.replace(/^-/, "") as Field;
    const direction: SortDirection = candidate.startsWith("-") ? "DESC" : "ASC";
    return fields.includes(field) ? { field, direction } : undefined;
  };
  return (text && parse(text)) || parse(fallback) || undefined;
}

/** Returns a filter's value if it is valid. */
export function chosen<Value extends string>(text: string | undefined, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === text);
}

/** Reports whether a search or filter is set. */
export function isFiltered(value: (key: string) => string | undefined, filters: readonly Filter[]): boolean {
  return [...filters.map((f) => f.name), "q"].some((key) => value(key));
}

// Cursors only go forward. Previous pages are remembered until a reload; after that, Previous leads to the first page.
const previousCursors = new Map<string, string>();
export const previousCursor = (cursor: string) => previousCursors.get(cursor);
export function rememberPrevious(cursor: string, previous: string | undefined) {
  if (previous) {
    previousCursors.set(cursor, previous);
  }
}

/** The CSV form of columns: their titles and a row's cells. */
export function csvColumns<Row, Field extends string>(columns: Column<Row, Field>[]) {
  const exported = columns.flatMap((c) => (c.csv ? [{ title: c.title, csv: c.csv }] : []));
  return { titles: exported.map((c) => c.title), cells: (row: Row) => exported.map((c) => c.csv(row)) };
}
