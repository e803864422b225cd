import { type Exchange, makeOperation, mapExchange } from "@urql/core";

/**
 * A query that was on its way while a mutation was answered may have been read before it: it is asked again as soon as its own
 * answer is here. The cache cannot know, since it keeps the types of what was answered alone.
 */
export const overtakenExchange: Exchange = (input) => {
  const asked = new Set<number>();
  const overtaken = new Set<number>();
  return mapExchange({
    onOperation({ kind, key }) {
      if (kind === "query") {
        asked.add(key);
        overtaken.delete(key);
      }
    },
    onResult({ operation }) {
      if (operation.kind === "mutation") {
        for (const key of asked) {
          overtaken.add(key);
        }
        return;
      }
      asked.delete(operation.key);
      if (overtaken.delete(operation.key)) {
        const context = { ...operation.context, requestPolicy: "network-only" as const };
        input.client.reexecuteOperation(makeOperation("query", operation, context));
      }
    },
  })(input);
};
