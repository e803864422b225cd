import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "../../components/Loaded";
import { graphQuery } from "../../gql/client";
import { useRefetch } from "../../gql/stream";
import type { TypedDocument } from "../../gql/typed";

type Props<Data, Item> = {
  id: string;
  /** What the items are, in lowercase plural. */
  noun: string;
  document: TypedDocument<Data, { id: string }>;
  list: (data: Data) => { nodes: Item[]; totalCount: number } | null | undefined;
  empty: string;
  /** The list refetches when this changes. */
  refreshKey?: number;
  children: (items: Item[]) => ReactNode;
};

/** Loads a short list of a deal, and says if it has more items than shown. */
export function DealList<Data, Item>({ id, noun, document, list, empty, refreshKey, children }: Props<Data, Item>) {
  const result = useQuery(graphQuery(document, { id }));
  useRefetch(refreshKey, result);
  const connection = result.data && list(result.data);
  return (
    <Loaded noun={noun} record={connection} error={result.error} retry={result.refetch}>
      {({ nodes, totalCount }) => (
        <>
          {nodes.length === 0 ? <Text c="dimmed">{empty}</Text> : children(nodes)}
          {totalCount > nodes.length && (
            <Text size="sm" c="dimmed" mt="sm">
              Showing the newest {nodes.length} of {totalCount}.
            </Text>
          )}
        </>
      )}
    </Loaded>
  );
}
