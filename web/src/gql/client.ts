import {
  type CombinedError,
  cacheExchange,
  createClient,
  fetchExchange,
  makeOperation,
  mapExchange,
  type Operation,
} from "@urql/core";
import { type Detail, inTime, Problem, unreachable } from "../session/auth";
import { expire, signedIn } from "../session/session";
import { keptExchange } from "./kept";
import { onceExchange } from "./once";
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

/**
 * newClient asks the graph of this host, for one person: what it remembers nobody else may see. resume asks again what was
 * answered that nobody is signed in; done is called when what was asked for had been done before, although its answer was lost,
 * and was not done again.
 */
export function newClient(done: () => void) {
  const refused = new Map<number, Operation>();
  const client = createClient({
    url: "/graphql",
    preferGetMethod: false,
    requestPolicy: "cache-and-network",
    fetchOptions: { credentials: "same-origin" },
    // What a screen does not wait for any more goes on unseen: aborting it would fail where nobody can catch it.
    fetch: async (input, init) => {
      const asker = signedIn();
      const response = await fetch(input, { ...init, signal: inTime() });
      // What was asked before they signed in says nothing of who did since.
      if (response.status === 401 && signedIn() === asker) {
        expire();
      }
      if (response.headers.get("Idempotency-Replayed") === "true") {
        done();
      }
      return response;
    },
    exchanges: [
      keptExchange,
      cacheExchange,
      mapExchange({
        onError(error, operation) {
          if (operation.kind === "query" && error.graphQLErrors.some((e) => e.extensions.code === "unauthorized")) {
            refused.set(operation.key, operation);
          }
        },
      }),
      overtakenExchange,
      onceExchange,
      fetchExchange,
    ],
  });
  const resume = () => {
    for (const operation of refused.values()) {
      client.reexecuteOperation(
        makeOperation("query", operation, { ...operation.context, requestPolicy: "network-only" }),
      );
    }
    refused.clear();
  };
  return { client, resume };
}
