import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { graphQuery } from "../../gql/client";
import { MerchantOptionsDocument } from "../../gql/documents";

/** Finds a merchant by name, with a search on the server. */
export function MerchantSelect({
  label = "Merchant",
  required,
  value,
  onChange,
  error,
}: {
  label?: string;
  required?: boolean;
  value: string | null;
  onChange: (id: string | null) => void;
  error?: string | undefined;
}) {
  const [text, setText] = useState("");
  const [q] = useDebouncedValue(text, 250);
  const result = useQuery(graphQuery(MerchantOptionsDocument, { q }));
  return (
    <Select
      label={label}
      required={required ?? false}
      clearable={!required}
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
      searchable
      data={(result.data?.merchants?.nodes ?? []).map((m) => ({ value: m.id, label: m.legalName }))}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={result.isFetching ? "Searching…" : "No matching merchant"}
      error={error}
    />
  );
}
