import {
  ActionIcon,
  Anchor,
  Button,
  Card,
  Group,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
  Tooltip,
  UnstyledButton,
} from "@mantine/core";
import { useDebouncedCallback, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, Rows3, Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from "react";
import { type TypedDocumentNode, useClient, useQuery } from "urql";
import { problemOf } from "../gql/client";
import type { SortDirection } from "../gql/documents";
import { useAgain } from "../gql/stream";
import { unreachable } from "../session/auth";
import classes from "./DataTable.module.css";
import { ErrorPanel } from "./ErrorPanel";
import { Export, type Page } from "./Export";
import { count } from "./format";
import { type Column, cameFrom, type Filter, isFiltered, remember, sortOf, useTableSearch } from "./table";

type Connection<Row> = {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount: number;
};

/** What every list of the graph takes, beside its filter. */
type Paged<Field extends string> = {
  first: number;
  after?: string | null | undefined;
  sort?: { field: Field; direction?: SortDirection } | null | undefined;
};

type Props<Row, Field extends string, Data, Variables extends Paged<Field>> = {
  /** What the rows are, in small letters and the plural: names the table and its file. */
  name: string;
  document: TypedDocumentNode<Data, Variables>;
  connection: (data: Data) => Connection<Row> | null;
  /** The variables beside page and sort, made of what the address says. They must not change while it stays. */
  variables: (value: (key: string) => string | undefined) => Omit<Variables, "first" | "after" | "sort">;
  columns: Column<Row, Field>[];
  /** A field's name, with a - before it for the highest first. */
  defaultSort: string;
  rowKey: (row: Row) => string;
  /** Where a row leads; its first column is the link. */
  to?: (row: Row) => string;
  filters?: Filter[];
  /** What the search looks through; without it there is none. */
  search?: string;
  /** Says what to do where there is nothing yet. */
  empty: ReactNode;
  /** The list is read again whenever this changes. */
  turn?: number;
  /** Keeps two lists of one address apart. */
  prefix?: string;
  /** The types of which a new record belongs here, so that the list is read again; it must not change. */
  of?: string[];
};

const pageSize = 50;
const exportPage = 200;

/**
 * DataTable shows a list of the graph, whose order, filters and page are in the address. It can be walked by the arrow
 * keys, becomes cards where it is narrow, and goes into a file with all of its pages.
 */
export function DataTable<Row, Field extends string, Data, Variables extends Paged<Field>>(
  props: Props<Row, Field, Data, Variables>,
) {
  const { value, set } = useTableSearch(props.prefix);
  const filters = props.filters ?? [];
  const fields = props.columns.flatMap((c) => (c.sort ? [c.sort] : []));
  const sort = sortOf(value("sort"), fields, props.defaultSort);
  const after = value("after");
  const variables = { ...props.variables(value), first: pageSize, after, sort } as unknown as Variables;
  const context = useMemo(() => ({ additionalTypenames: props.of ?? [] }), [props.of]);
  const [result, again] = useQuery({ query: props.document, variables: variables as never, context });
  useAgain(props.turn, again);
  const [compact, setCompact] = useLocalStorage({ key: "paydown-compact", defaultValue: false });
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const page = result.data ? props.connection(result.data as Data) : undefined;
  const problem = result.error && !page ? problemOf(result.error) : undefined;

  return (
    <Stack gap="sm">
      <Toolbar
        {...props}
        filters={filters}
        value={value}
        set={set}
        narrow={narrow ?? false}
        total={page?.totalCount}
        compact={compact}
        setCompact={setCompact}
        sort={sort}
      />
      {problem && <ErrorPanel problem={problem} retry={() => again({ requestPolicy: "network-only" })} />}
      {!problem && !page && <Waiting name={props.name} />}
      {page && page.nodes.length === 0 && (
        <Nothing
          filtered={isFiltered(value, filters)}
          empty={props.empty}
          clear={() => set(Object.fromEntries([...filters.map((f) => f.name), "q"].map((key) => [key, undefined])))}
        />
      )}
      {page && page.nodes.length > 0 && (
        <div className={classes.frame} aria-busy={result.stale || result.fetching}>
          {narrow ? (
            <Cards {...props} rows={page.nodes} />
          ) : (
            <Grid {...props} rows={page.nodes} compact={compact} sort={sort} set={set} />
          )}
        </div>
      )}
      {page && (after || page.pageInfo.hasNextPage) && (
        <Pages page={page.pageInfo} after={after} go={(cursor) => set({ after: cursor })} />
      )}
    </Stack>
  );
}

type Sort = { field: string; direction: SortDirection } | undefined;
type Set = (changes: Record<string, string | undefined>) => void;

function Toolbar<Row, Field extends string, Data, Variables extends Paged<Field>>({
  name,
  search,
  filters,
  value,
  set,
  narrow,
  total,
  compact,
  setCompact,
  sort,
  ...props
}: Props<Row, Field, Data, Variables> & {
  filters: Filter[];
  value: (key: string) => string | undefined;
  set: Set;
  narrow: boolean;
  total: number | undefined;
  compact: boolean;
  setCompact: (compact: boolean) => void;
  sort: Sort;
}) {
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label={`Find ${name}`}>
      {search && <SearchField label={search} value={value("q") ?? ""} set={(q) => set({ q })} />}
      {filters.map((f) => (
        <Select
          key={f.name}
          aria-label={f.label}
          placeholder={f.label}
          data={f.options}
          value={value(f.name) ?? null}
          onChange={(chosen) => set({ [f.name]: chosen ?? undefined })}
          clearable
          clearButtonProps={{ "aria-label": `Clear ${f.label}` }}
          w={narrow ? "100%" : 190}
        />
      ))}
      {narrow && <SortField columns={props.columns} sort={sort} set={set} />}
      <Group ml="auto" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {total === undefined ? "" : `${count(total)} in all`}
        </Text>
        {!narrow && (
          <Tooltip label={compact ? "Roomier rows" : "Denser rows"}>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label="Dense rows"
              aria-pressed={compact}
              onClick={() => setCompact(!compact)}
            >
              <Rows3 size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <SaveList name={name} {...props} value={value} sort={sort} />
      </Group>
    </Group>
  );
}

/** SaveList hands out all pages of the list as it is filtered and sorted. */
function SaveList<Row, Field extends string, Data, Variables extends Paged<Field>>({
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
  const client = useClient();
  const page = async (after: string | null): Promise<Page> => {
    const asked = { ...variables(value), first: exportPage, after, sort } as unknown as Variables;
    const answer = await client.query(document, asked as never, { requestPolicy: "network-only" }).toPromise();
    const found = answer.data ? connection(answer.data as Data) : null;
    if (!found) {
      throw answer.error ? problemOf(answer.error) : unreachable();
    }
    return {
      rows: found.nodes.map((row) => told.map((c) => c.csv(row))),
      next: found.pageInfo.hasNextPage ? found.pageInfo.endCursor : null,
      total: found.totalCount,
    };
  };
  const told = columns.flatMap((c) => (c.csv ? [{ title: c.title, csv: c.csv }] : []));
  return <Export name={name} titles={told.map((c) => c.title)} page={page} />;
}

function SearchField({ label, value, set }: { label: string; value: string; set: (q: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const later = useDebouncedCallback(set, 250);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      leftSection={<Search size={16} aria-hidden />}
      w={{ base: "100%", sm: 280 }}
      onChange={(e) => {
        setText(e.currentTarget.value);
        later(e.currentTarget.value);
      }}
    />
  );
}

function SortField<Row, Field extends string>({
  columns,
  sort,
  set,
}: {
  columns: Column<Row, Field>[];
  sort: Sort;
  set: Set;
}) {
  const options = columns.flatMap((c) =>
    c.sort
      ? [
          { value: c.sort as string, label: `${c.title}, lowest first` },
          { value: `-${c.sort}`, label: `${c.title}, highest first` },
        ]
      : [],
  );
  return (
    <Select
      aria-label="Order"
      data={options}
      w="100%"
      allowDeselect={false}
      onChange={(chosen) => set({ sort: chosen ?? undefined })}
      value={sort ? `${sort.direction === "DESC" ? "-" : ""}${sort.field}` : null}
    />
  );
}

function Grid<Row, Field extends string, Data, Variables extends Paged<Field>>({
  name,
  columns,
  rows,
  rowKey,
  to,
  compact,
  sort,
  set,
}: Props<Row, Field, Data, Variables> & { rows: Row[]; compact: boolean; sort: Sort; set: Set }) {
  return (
    <Table.ScrollContainer
      minWidth={600}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": name } }}
    >
      <Table highlightOnHover verticalSpacing={compact ? 3 : 7} stickyHeader aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((c) => (
              <Heading key={c.title} column={c} sort={sort} set={set} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onKeyDown={walk}>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((c, i) => (
                <Table.Td key={c.title} className={c.right ? classes.right : c.whole ? classes.whole : undefined}>
                  <Linked to={i === 0 ? to?.(row) : undefined}>{c.cell(row)}</Linked>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** walk moves from row to row by the arrow keys; Enter follows the link, as everywhere. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [
    ...event.currentTarget.querySelectorAll<HTMLElement>("tr > td:first-child a, tr > td:first-child button"),
  ];
  const here = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  if (step && here >= 0) {
    event.preventDefault();
    links[here + step]?.focus();
  }
}

function Heading<Row, Field extends string>({
  column,
  sort,
  set,
}: {
  column: Column<Row, Field>;
  sort: Sort;
  set: Set;
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

function Linked({ to, children }: { to: string | undefined; children: ReactNode }) {
  return to ? (
    <Anchor component={Link} to={to} inherit>
      {children}
    </Anchor>
  ) : (
    children
  );
}

function Cards<Row, Field extends string, Data, Variables extends Paged<Field>>({
  name,
  columns,
  rows,
  rowKey,
  to,
}: Props<Row, Field, Data, Variables> & { rows: Row[] }) {
  const [first, ...others] = columns;
  return (
    <Stack component="ul" gap="xs" aria-label={name} className={classes.cards}>
      {rows.map((row) => (
        <Card component="li" withBorder padding="sm" key={rowKey(row)}>
          <Text component="div" fw={600}>
            <Linked to={to?.(row)}>{first?.cell(row)}</Linked>
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

function Waiting({ name }: { name: string }) {
  return (
    <Stack gap={8} role="status" aria-label={`Loading ${name}`}>
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => (
        <Skeleton key={key} h={28} />
      ))}
    </Stack>
  );
}

function Nothing({ filtered, empty, clear }: { filtered: boolean; empty: ReactNode; clear: () => void }) {
  return (
    <Stack align="center" p="xl" gap="sm">
      {filtered ? (
        <>
          <Text>Nothing matches.</Text>
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

function Pages({
  page,
  after,
  go,
}: {
  page: { hasNextPage: boolean; endCursor: string | null };
  after: string | undefined;
  go: (cursor: string | undefined) => void;
}) {
  const next = page.endCursor;
  return (
    <Group component="nav" aria-label="Pages" justify="flex-end" gap="xs">
      <Button variant="default" size="xs" disabled={!after} onClick={() => go(undefined)}>
        First page
      </Button>
      <Button variant="default" size="xs" disabled={!after} onClick={() => go(after && cameFrom(after))}>
        Previous
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!page.hasNextPage || !next}
        onClick={() => {
          if (next) {
            remember(next, after);
            go(next);
          }
        }}
      >
        Next
      </Button>
    </Group>
  );
}
