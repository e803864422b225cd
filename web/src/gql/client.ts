import {
  keepPreviousData,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { clearKeys } from "./idempotency";
import { GraphError, runQuery } from "./request";
import type { TypedDocument } from "./typed";

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: GraphError;
  }
}

/** The useQuery options of a typed document. The cache key is the document and its variables. */
export function graphQuery<Data, Variables extends Record<string, unknown>>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
) {
  return queryOptions<Data, GraphError>({
    queryKey: [document, variables],
    queryFn: ({ signal }) => runQuery(document, variables, signal),
  });
}

/**
 * Creates the cache of one user, so that no other user sees its data.
 *
 * - Every screen shows cached data and refetches it. While it loads with other variables, the previous data stays.
 * - Every mutation, failed or not, refetches everything on screen: it changes more than it returns, and a failure may
 *   mean that the screen is outdated. Queries in flight may predate the change, so they start over.
 * - Data that no screen shows is dropped after five minutes, the default gcTime.
 */
export function newClient(): QueryClient {
  clearKeys();
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => keepDataOnError(error as unknown, query),
      onSuccess: () => {
        // The server is reachable again.
        void client.refetchQueries({
          type: "active",
          predicate: ({ state }) =>
            state.fetchStatus === "idle" && state.error instanceof GraphError && !!state.error.kind.network,
        });
      },
    }),
    mutationCache: new MutationCache({
      // Not awaited: the user does not wait for the refetch.
      onSettled: () => void refetchAll(client),
    }),
    defaultOptions: {
      // "always": offline, a request fails visibly instead of being paused.
      queries: {
        networkMode: "always",
        retry: false,
        refetchOnReconnect: true,
        refetchOnWindowFocus: false,
        placeholderData: keepPreviousData,
      },
      // gcTime 0: a response may contain a secret that is shown once.
      mutations: { networkMode: "always", retry: false, gcTime: 0 },
    },
  });
  return client;
}

/**
 * Refetches everything on screen. Queries in flight start over, first loads too, which invalidating alone would not
 * restart.
 */
export async function refetchAll(client: QueryClient) {
  await client.cancelQueries();
  await client.invalidateQueries();
}

/**
 * Decides what a failed query shows. A transient error keeps the previous data, since a form may be open above it. Any
 * other error replaces it with the partial data of the response, if any.
 */
function keepDataOnError(error: unknown, query: Query<unknown, unknown, unknown>) {
  if (!(error instanceof GraphError)) {
    return;
  }
  const previous = error.kind.transient || error.unauthorized ? query.state.data : undefined;
  const data = previous ?? error.data;
  query.setState({
    ...query.state,
    data,
    dataUpdatedAt: data === undefined ? 0 : query.state.dataUpdatedAt || Date.now(),
  });
}
