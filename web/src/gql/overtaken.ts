import { type Exchange, makeOperation, mapExchange, type Operation } from "@urql/core";
import { left } from "./left";

/**
 * All that is on the screen is asked again once a mutation is answered: an act changes more than its answer names, and one that
 * was refused may have been because the record is not as it is shown. The cache cannot know, since it goes by the types of
 * answers alone. A query that was on its way meanwhile may have been read before: it is asked again as soon as its own
 * answer is here. And one that no answer came to is asked again once another is answered.
 */
export const overtakenExchange: Exchange = (input) => {
  const asked = new Set<number>();
  const overtaken = new Set<number>();
  const lost = new Set<number>();
  const known = new Map<number, Operation>();
  const again = (key: number) => {
    const operation = known.get(key);
    if (operation) {
      const context = { ...operation.context, requestPolicy: "network-only" as const };
      input.client.reexecuteOperation(makeOperation("query", operation, context));
    }
  };
  const asking = mapExchange({
    onOperation(operation) {
      const { kind, key } = operation;
      if (kind === "query") {
        asked.add(key);
        overtaken.delete(key);
        lost.delete(key);
        known.set(key, operation);
      }
    },
    onResult({ operation, error }) {
      if (operation.kind === "mutation") {
        for (const key of known.keys()) {
          if (asked.has(key)) {
            overtaken.add(key);
          } else {
            again(key);
          }
        }
      } else {
        asked.delete(operation.key);
        if (overtaken.delete(operation.key)) {
          again(operation.key);
        }
      }
      if (!error?.networkError) {
        for (const key of lost) {
          again(key);
        }
        lost.clear();
      } else if (operation.kind === "query") {
        lost.add(operation.key);
      }
    },
  });
  return left(asking, ({ key }) => {
    for (const all of [asked, overtaken, lost, known]) {
      all.delete(key);
    }
  })(input);
};
