import { type CombinedError, type Exchange, mapExchange } from "@urql/core";
import { left } from "./left";
import { passing } from "./passing";

/** unsaid reports an error that tells nothing of what was asked for, or that nobody is signed in any more. */
const unsaid = (error: CombinedError) =>
  passing(error) || error.graphQLErrors.some((e) => e.extensions.code === "unauthorized");

/**
 * What could not be read again stays on the screen as it was, beside the error that says so: a form that is open above it must
 * not go with it.
 */
export const keptExchange: Exchange = (input) => {
  const last = new Map<number, unknown>();
  const keeping = mapExchange({
    onResult(result) {
      const { kind, key } = result.operation;
      if (kind !== "query") {
        return result;
      }
      if (result.data) {
        last.set(key, result.data);
      } else if (result.error && unsaid(result.error)) {
        return { ...result, data: last.get(key) };
      } else if (result.error) {
        last.delete(key);
      }
      return result;
    },
  });
  return left(keeping, ({ key }) => last.delete(key))(input);
};
