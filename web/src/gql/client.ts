import {
  keepPreviousData,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { forgetKeys } from "./idempotency";
import { GraphError, read } from "./request";
import type { TypedDocument } from "./typed";

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: GraphError;
  }
}

/** graphQuery makes a typed document the options of useQuery: the cache holds an answer by document and variables. */
export function graphQuery<Data, Variables extends Record<string, unknown>>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
) {
  return queryOptions<Data, GraphError>({
    queryKey: [document, variables],
    queryFn: ({ signal }) => read(document, variables, signal),
  });
}

/**
 * newClient makes the cache of one person: nobody else may see what is in it.
 *
 * - Every screen shows what is cached and reads it again. While it reads with other variables, the previous data stays.
 * - Every mutation, done or refused, has everything on screen read again: it changes more than its answer names, and a refusal
 *   may mean that the screen is outdated. A read that is under way at that moment may predate the change, so it starts over.
 * - What no screen shows is dropped after five minutes, the default of gcTime.
 */
export function newClient(): QueryClient {
  forgetKeys();
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => keepShown(error as unknown, query),
      onSuccess: () => {
        // The server can be reached again.
        void client.refetchQueries({
          type: "active",
          predicate: ({ state }) =>
            state.fetchStatus === "idle" && state.error instanceof GraphError && !!state.error.kind.network,
        });
      },
    }),
    mutationCache: new MutationCache({
      // Not awaited: whoever acted does not wait for the screen.
      onSettled: () => void refetchAll(client),
    }),
    defaultOptions: {
      // "always": offline, a request fails and says so, instead of waiting unseen.
      queries: {
        networkMode: "always",
        retry: false,
        refetchOnReconnect: true,
        refetchOnWindowFocus: false,
        placeholderData: keepPreviousData,
      },
      // gcTime 0: an answer may show a secret once.
      mutations: { networkMode: "always", retry: false, gcTime: 0 },
    },
  });
  return client;
}

/** refetchAll reads everything on screen again. Reads under way start over, first loads too, which invalidating leaves alone. */
export async function refetchAll(client: QueryClient) {
  await client.cancelQueries();
  await client.invalidateQueries();
}

/**
 * keepShown decides what a failed query shows. An error that says nothing about the records leaves on screen what was read
 * before, since a form may be open above it. Any other error replaces it by what was answered beside the error, if anything.
 */
function keepShown(error: unknown, query: Query<unknown, unknown, unknown>) {
  if (!(error instanceof GraphError)) {
    return;
  }
  const kept = error.kind.transient || error.unauthorized ? query.state.data : undefined;
  const data = kept ?? error.data;
  query.setState({
    ...query.state,
    data,
    dataUpdatedAt: data === undefined ? 0 : query.state.dataUpdatedAt || Date.now(),
  });
}
