import { type Detail, Problem, requestTimeout, unreachable } from "../session/auth";
import { currentSession, expireSession } from "../session/session";
import { keyFor, releaseKey } from "./idempotency";
import type { TypedDocument } from "./typed";

type Reply<Data> = {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; requestId?: string; details?: Detail[] } }[];
};

const transientCodes = ["internal_error", "unavailable", "rate_limited"];

/** Reports whether a retry may succeed after this error code. */
export const isTransient = (code: string) => transientCodes.includes(code);

/** Why an operation failed, fully or in part. */
export class GraphError extends Error {
  constructor(
    /** Worded for users. */
    readonly problem: Problem,
    readonly kind: {
      /** No response arrived: the server may have executed the operation. */
      network?: boolean;
      /** A retry may succeed. A mutation may have been executed. */
      transient?: boolean;
    },
    /** The partial data of a query that failed in part. */
    readonly data?: unknown,
  ) {
    super(problem.message);
    this.name = "GraphError";
  }

  get unauthorized(): boolean {
    return this.problem.code === "unauthorized";
  }
}

type PostResult<Data> = { response: Response; reply: Reply<Data> | undefined };

/** Sends one operation. Rejects if no response arrives. */
async function post<Data>(
  query: string,
  variables: unknown,
  signal: AbortSignal,
  key?: string,
): Promise<PostResult<Data>> {
  const session = currentSession();
  const response = await fetch("/graphql", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/graphql-response+json, application/json",
      ...(key && { "Idempotency-Key": key }),
    },
    body: JSON.stringify({ query, variables }),
    credentials: "same-origin",
    signal,
  });
  // The 401 of a request from before a new sign-in does not expire the new session.
  if (response.status === 401 && currentSession() === session) {
    expireSession();
  }
  const text = await response.text();
  return { response, reply: parse<Data>(text) };
}

/** Parses a GraphQL response. Returns undefined for anything else, such as a proxy's error page. */
function parse<Data>(text: string): Reply<Data> | undefined {
  try {
    const reply = JSON.parse(text) as Reply<Data> | null;
    return reply && ("data" in reply || "errors" in reply) ? reply : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the data of a response, or throws its error. */
function unwrap<Data>({ response, reply }: PostResult<Data>): Data {
  const first = reply?.errors?.[0];
  if (reply?.data && !first) {
    return reply.data;
  }
  if (!first) {
    const problem = new Problem(`The server answered ${response.status}.`, String(response.status), undefined, []);
    throw new GraphError(problem, { network: true, transient: true });
  }
  const { code = "", requestId, details = [] } = first.extensions ?? {};
  throw new GraphError(
    new Problem(first.message, code, requestId, details),
    // Retry-After: a mutation with the same key is still running.
    { transient: isTransient(code) || response.headers.has("Retry-After") },
    reply?.data ?? undefined,
  );
}

/** The GraphError of a request without a response. An abort by the caller is passed on. */
function toGraphError(error: unknown, signal?: AbortSignal): unknown {
  if (error instanceof GraphError || signal?.aborted) {
    return error;
  }
  return new GraphError(unreachable(), { network: true, transient: true });
}

/** Runs a query without the cache. */
export async function runQuery<Data, Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  try {
    return unwrap(
      await post<Data>(document, variables, signal ? AbortSignal.any([signal, requestTimeout()]) : requestTimeout()),
    );
  } catch (error) {
    throw toGraphError(error, signal);
  }
}

/** Reads a list without the cache, for export. Fields that the user may not read stay empty. Throws a Problem. */
export async function readRows<Data, Variables, Rows>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  rowsOf: (data: Data) => Rows | null | undefined,
): Promise<Rows> {
  try {
    const rows = rowsOf(await runQuery(document, variables));
    if (rows) {
      return rows;
    }
  } catch (error) {
    if (!(error instanceof GraphError)) {
      throw error;
    }
    const rows = error.data && !error.kind.transient ? rowsOf(error.data as Data) : undefined;
    if (!rows) {
      throw error.problem;
    }
    return rows;
  }
  throw unreachable();
}

/**
 * Sends a mutation with an Idempotency-Key. The same mutation keeps its key until a final response, so resending it
 * after a lost response never repeats it. onReplay is called if the server had already executed it.
 */
export async function runMutation<Data, Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  onReplay: () => void,
): Promise<Data> {
  const request = `${document} ${JSON.stringify(variables)}`;
  try {
    const result = await post<Data>(document, variables, requestTimeout(), keyFor(request));
    if (result.response.headers.get("Idempotency-Replayed") === "true") {
      onReplay();
    }
    const data = unwrap(result);
    releaseKey(request);
    return data;
  } catch (error) {
    const failed = toGraphError(error);
    if (failed instanceof GraphError && !failed.kind.transient) {
      releaseKey(request);
    }
    throw failed;
  }
}
