import { ActionIcon, Group, Select, Text, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Rows3, Search } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { count } from "./format";
import type { Column, Filter, SetSearch, Sort } from "./table";

type Props<Row, Field extends string> = {
  name: string;
  /** Placeholder of the search field. Without it the list has no search. */
  search?: string | undefined;
  filters: Filter[];
  columns: Column<Row, Field>[];
  value: (key: string) => string | undefined;
  set: SetSearch;
  sort: Sort;
  narrow: boolean;
  total: number | undefined;
  compact: boolean;
  setCompact: (compact: boolean) => void;
  /** Shown after the number of rows. */
  children: ReactNode;
};

/** Search, filters and layout of a list. On narrow screens, sorting too. */
export function TableToolbar<Row, Field extends string>({
  name,
  search,
  filters,
  columns,
  value,
  set,
  sort,
  narrow,
  total,
  compact,
  setCompact,
  children,
}: Props<Row, Field>) {
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
      {narrow && <SortField columns={columns} sort={sort} set={set} />}
      <Group ml="auto" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {total === undefined ? "" : `${count(total)} total`}
        </Text>
        {!narrow && (
          <Tooltip label={compact ? "Comfortable rows" : "Compact rows"}>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label="Compact rows"
              aria-pressed={compact}
              onClick={() => setCompact(!compact)}
            >
              <Rows3 size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {children}
      </Group>
    </Group>
  );
}

function SearchField({ label, value, set }: { label: string; value: string; set: (q: string) => void }) {
  const [text, setText] = useState(value);
  // A debounced value that arrives late must not overwrite newer input.
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  const setSearch = useDebouncedCallback((q: string) => {
    sent.current = q;
    set(q);
  }, 250);
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
        setSearch(e.currentTarget.value);
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
  set: SetSearch;
}) {
  const options = columns.flatMap((c) =>
    c.sort
      ? [
          { value: c.sort as string, label: `${c.title}, ascending` },
          { value: `-${c.sort}`, label: `${c.title}, descending` },
        ]
      : [],
  );
  return (
    <Select
      aria-label="Sort"
      data={options}
      w="100%"
      allowDeselect={false}
      onChange={(chosen) => set({ sort: chosen ?? undefined })}
      value={sort ? `${sort.direction === "DESC" ? "-" : ""}${sort.field}` : null}
    />
  );
}
