import { Text } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { type TypedDocumentNode, useQuery } from "urql";
import { Loaded } from "../../components/Loaded";
import { useAgain } from "../../gql/stream";

type Props<Data, Item> = {
  id: string;
  /** What the items are, in small letters and the plural. */
  what: string;
  document: TypedDocumentNode<Data, { id: string }>;
  list: (data: Data) => { nodes: Item[]; totalCount: number } | null | undefined;
  empty: string;
  /** The types of which a new record belongs here, so that the list is read again; it must not change. */
  of?: string[];
  /** The list is read again whenever this changes. */
  turn?: number;
  children: (items: Item[]) => ReactNode;
};

/** Part shows a short list that belongs to a deal, and says where there is more of it. */
export function Part<Data, Item>({ id, what, document, list, empty, of, turn, children }: Props<Data, Item>) {
  const context = useMemo(() => ({ additionalTypenames: of ?? [] }), [of]);
  const [result, again] = useQuery({ query: document, variables: { id }, context });
  useAgain(turn, result, again);
  const found = result.data && list(result.data);
  return (
    <Loaded what={what} record={found} error={result.error} retry={again}>
      {({ nodes, totalCount }) => (
        <>
          {nodes.length === 0 ? <Text c="dimmed">{empty}</Text> : children(nodes)}
          {totalCount > nodes.length && (
            <Text size="sm" c="dimmed" mt="sm">
              The newest {nodes.length} of {totalCount}.
            </Text>
          )}
        </>
      )}
    </Loaded>
  );
}
