import { type CombinedError, cacheExchange, createClient, fetchExchange, mapExchange } from "@urql/core";
import { type Detail, Problem, unreachable } from "../session/auth";
import { overtakenExchange } from "./overtaken";

/** problemOf is what an operation's error says to people: that of its first part that says anything. */
export function problemOf(error: CombinedError): Problem {
  const first = error.graphQLErrors[0];
  if (!first) {
    const status = (error.response as Response | undefined)?.status;
    return status ? new Problem(`The server answered ${status}.`, String(status), undefined, []) : unreachable();
  }
  const { code, requestId, details } = first.extensions as { code?: string; requestId?: string; details?: Detail[] };
  return new Problem(first.message, code ?? "", requestId, details ?? []);
}

/** newClient asks the graph of this host. expired is called when an answer says that nobody is signed in. */
export function newClient(expired: () => void) {
  return createClient({
    url: "/graphql",
    preferGetMethod: false,
    requestPolicy: "cache-and-network",
    fetchOptions: { credentials: "same-origin" },
    // What a screen does not wait for any more goes on unseen: aborting it would fail where nobody can catch it.
    fetch: (input, init) => fetch(input, { ...init, signal: null }),
    exchanges: [
      cacheExchange,
      mapExchange({
        onError(error) {
          if (error.graphQLErrors.some((e) => e.extensions.code === "unauthorized")) {
            expired();
          }
        },
      }),
      overtakenExchange,
      fetchExchange,
    ],
  });
}
