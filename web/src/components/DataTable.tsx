import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { graphQuery } from "../gql/client";
import type { SortDirection } from "../gql/documents";
import { readRows } from "../gql/request";
import { useRefetch } from "../gql/stream";
import type { TypedDocument } from "../gql/typed";
import classes from "./DataTable.module.css";
import { ErrorPanel, Outdated } from "./ErrorPanel";
import { Export, type Page } from "./Export";
import { Cards, Grid } from "./TableRows";
import { TableToolbar } from "./TableToolbar";
import {
  type Column,
  csvColumns,
  type Filter,
  isFiltered,
  parseSort,
  previousCursor,
  rememberPrevious,
  type Sort,
  useTableSearch,
} from "./table";

type Connection<Row> = {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount: number;
};

/** Variables that every list has besides its filter. */
type PageVariables<Field extends string> = {
  first: number;
  after?: string | null | undefined;
  sort?: { field: Field; direction?: SortDirection } | null | undefined;
};

type Props<Row, Field extends string, Data, Variables extends PageVariables<Field>> = {
  /** What the rows are, in lowercase plural. It names the table and the CSV file. */
  name: string;
  document: TypedDocument<Data, Variables>;
  connection: (data: Data) => Connection<Row> | null;
  /** Variables besides page and sort, from the search parameters. */
  variables: (value: (key: string) => string | undefined) => Omit<Variables, "first" | "after" | "sort">;
  columns: Column<Row, Field>[];
  /** A field's name, with a leading - for descending. */
  defaultSort: string;
  rowKey: (row: Row) => string;
  /** The row's link, on its first column. */
  to?: (row: Row) => string;
  filters?: Filter[];
  /** Placeholder of the search field. Without it the list has no search. */
  search?: string;
  /** Shown when there are no rows and no filter is set. */
  empty: ReactNode;
  /** The list refetches when this changes. */
  refreshKey?: number;
  /** Prefix of the search parameters when a page has several lists. */
  prefix?: string;
};

const pageSize = 50;
const exportPage = 200;

/**
 * A paged list. Sort, filters and page are search parameters. Supports the arrow keys, shows cards on narrow screens,
 * and exports all pages as CSV.
 */
export function DataTable<Row, Field extends string, Data, Variables extends PageVariables<Field>>(
  props: Props<Row, Field, Data, Variables>,
) {
  const { value, set } = useTableSearch(props.prefix);
  const filters = props.filters ?? [];
  const fields = props.columns.flatMap((c) => (c.sort ? [c.sort] : []));
  const sort = parseSort(value("sort"), fields, props.defaultSort);
  const after = value("after");
  const variables = { ...props.variables(value), first: pageSize, after, sort } as unknown as Variables;
  const result = useQuery(graphQuery(props.document, variables));
  useRefetch(props.refreshKey, result);
  const [compact, setCompact] = useLocalStorage({ key: "paydown-compact", defaultValue: false });
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const page = result.data ? props.connection(result.data) : undefined;
  const problem = result.error && !page ? result.error.problem : undefined;

  return (
    <Stack gap="sm">
      <TableToolbar
        name={props.name}
        search={props.search}
        filters={filters}
        columns={props.columns}
        value={value}
        set={set}
        sort={sort}
        narrow={narrow ?? false}
        total={page?.totalCount}
        compact={compact}
        setCompact={setCompact}
      >
        <ExportList {...props} value={value} sort={sort} />
      </TableToolbar>
      {problem && <ErrorPanel problem={problem} retry={result.refetch} />}
      {page && <Outdated error={result.error} retry={result.refetch} />}
      {!problem && !page && <LoadingRows name={props.name} />}
      {page && page.nodes.length === 0 && (
        <EmptyState
          filtered={isFiltered(value, filters)}
          empty={props.empty}
          clear={() => set(Object.fromEntries([...filters.map((f) => f.name), "q"].map((key) => [key, undefined])))}
        />
      )}
      {page && page.nodes.length > 0 && (
        <div className={classes.frame} aria-busy={result.isFetching}>
          {narrow ? (
            <Cards {...props} rows={page.nodes} />
          ) : (
            <Grid {...props} rows={page.nodes} compact={compact} sort={sort} set={set} />
          )}
        </div>
      )}
      {page && (after || page.pageInfo.hasNextPage) && (
        <Pagination page={page.pageInfo} after={after} goTo={(cursor) => set({ after: cursor })} />
      )}
    </Stack>
  );
}

/** Exports all pages of the list, filtered and sorted as shown. */
function ExportList<Row, Field extends string, Data, Variables extends PageVariables<Field>>({
  name,
  document,
  connection,
  variables,
  columns,
  value,
  sort,
}: Pick<Props<Row, Field, Data, Variables>, "name" | "document" | "connection" | "variables" | "columns"> & {
  value: (key: string) => string | undefined;
  sort: Sort;
}) {
  const file = csvColumns(columns);
  const page = async (after: string | null): Promise<Page> => {
    const pageVariables = { ...variables(value), first: exportPage, after, sort } as unknown as Variables;
    const result = await readRows(document, pageVariables, connection);
    return {
      rows: result.nodes.map(file.cells),
      next: result.pageInfo.hasNextPage ? result.pageInfo.endCursor : null,
      total: result.totalCount,
    };
  };
  return <Export name={name} titles={file.titles} page={page} />;
}

function LoadingRows({ name }: { name: string }) {
  return (
    <Stack gap={8} role="status" aria-label={`Loading ${name}`}>
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => (
        <Skeleton key={key} h={28} />
      ))}
    </Stack>
  );
}

function EmptyState({ filtered, empty, clear }: { filtered: boolean; empty: ReactNode; clear: () => void }) {
  return (
    <Stack align="center" p="xl" gap="sm">
      {filtered ? (
        <>
          <Text>No results match your search.</Text>
          <Button variant="default" onClick={clear}>
            Clear search and filters
          </Button>
        </>
      ) : (
        <Text component="div">{empty}</Text>
      )}
    </Stack>
  );
}

function Pagination({
  page,
  after,
  goTo,
}: {
  page: { hasNextPage: boolean; endCursor: string | null };
  after: string | undefined;
  goTo: (cursor: string | undefined) => void;
}) {
  const next = page.endCursor;
  return (
    <Group component="nav" aria-label="Pages" justify="flex-end" gap="xs">
      <Button variant="default" size="xs" disabled={!after} onClick={() => goTo(undefined)}>
        First page
      </Button>
      <Button variant="default" size="xs" disabled={!after} onClick={() => goTo(after && previousCursor(after))}>
        Previous
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!page.hasNextPage || !next}
        onClick={() => {
          // Pressing Next twice before the next page has loaded must not make a cursor its own predecessor.
          if (next && next !== after) {
            rememberPrevious(next, after);
            goTo(next);
          }
        }}
      >
        Next
      </Button>
    </Group>
  );
}
