import type { Exchange, Operation } from "@urql/core";
import { pipe, tap } from "wonka";

/** left is an exchange that is told, besides, of each query that no screen shows any more, so that it can forget of it. */
export function left(exchange: Exchange, forget: (operation: Operation) => void): Exchange {
  return (input) => {
    const inner = exchange(input);
    return (operations) =>
      inner(
        pipe(
          operations,
          tap((operation) => {
            if (operation.kind === "teardown") {
              forget(operation);
            }
          }),
        ),
      );
  };
}
