import { type Exchange, makeOperation, mapExchange } from "@urql/core";
import { passing } from "./passing";

/** chance is a key that nobody else has, made of what browsers have on plain HTTP too. */
export const chance = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Every mutation has an Idempotency-Key. One whose answer was lost may have been done: whoever asks for the very same again, asks
 * under the same key, and the server does it once.
 */
export const onceExchange: Exchange = (input) => {
  const open = new Map<string, string>();
  const asked = (key: number, variables: unknown) => `${key} ${JSON.stringify(variables)}`;
  return mapExchange({
    onOperation(operation) {
      if (operation.kind !== "mutation") {
        return operation;
      }
      const what = asked(operation.key, operation.variables);
      const key = open.get(what) ?? chance();
      open.set(what, key);
      const { fetchOptions } = operation.context;
      const options = typeof fetchOptions === "function" ? fetchOptions() : fetchOptions;
      return makeOperation("mutation", operation, {
        ...operation.context,
        fetchOptions: { ...options, headers: { ...options?.headers, "Idempotency-Key": key } },
      });
    },
    onResult({ operation, error }) {
      if (operation.kind === "mutation" && !(error && passing(error))) {
        open.delete(asked(operation.key, operation.variables));
      }
    },
  })(input);
};
