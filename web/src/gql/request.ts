import { type Detail, inTime, Problem, unreachable } from "../session/auth";
import { expire, signedIn } from "../session/session";
import { keyFor, settle } from "./idempotency";
import type { TypedDocument } from "./typed";

type Reply<Data> = {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; requestId?: string; details?: Detail[] } }[];
};

const transientCodes = ["internal_error", "unavailable", "rate_limited"];

/** isTransient reports whether an error code may not come back on the next attempt. */
export const isTransient = (code: string) => transientCodes.includes(code);

/** GraphError is why an operation failed, in full or in part. */
export class GraphError extends Error {
  constructor(
    /** What people are told. */
    readonly problem: Problem,
    readonly kind: {
      /** No answer arrived: the server may have done it all the same. */
      network?: boolean;
      /** It says nothing about the records asked for: trying again may work. A mutation may have been done. */
      transient?: boolean;
    },
    /** What was answered beside the error, where only part of a query failed. */
    readonly data?: unknown,
  ) {
    super(problem.message);
    this.name = "GraphError";
  }

  get unauthorized(): boolean {
    return this.problem.code === "unauthorized";
  }
}

type Sent<Data> = { response: Response; reply: Reply<Data> | undefined };

/** post sends one operation. It rejects where no answer arrives. */
async function post<Data>(query: string, variables: unknown, signal: AbortSignal, key?: string): Promise<Sent<Data>> {
  const asker = signedIn();
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
  // A request sent before somebody signed in again says nothing about the new session.
  if (response.status === 401 && signedIn() === asker) {
    expire();
  }
  const text = await response.text();
  return { response, reply: parse<Data>(text) };
}

/** parse reads a GraphQL reply; a proxy's page is none. */
function parse<Data>(text: string): Reply<Data> | undefined {
  try {
    const reply = JSON.parse(text) as Reply<Data> | null;
    return reply && ("data" in reply || "errors" in reply) ? reply : undefined;
  } catch {
    return undefined;
  }
}

/** take returns a reply's data, or throws what failed. */
function take<Data>({ response, reply }: Sent<Data>): Data {
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
    // Retry-After comes with a mutation that is still running under the same key.
    { transient: isTransient(code) || response.headers.has("Retry-After") },
    reply?.data ?? undefined,
  );
}

/** failure is the GraphError of a request that no answer arrived to. An abort by the caller stays an abort. */
function failure(error: unknown, signal?: AbortSignal): unknown {
  if (error instanceof GraphError || signal?.aborted) {
    return error;
  }
  return new GraphError(unreachable(), { network: true, transient: true });
}

/** read asks for data, past every cache. */
export async function read<Data, Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  try {
    return take(await post<Data>(document, variables, signal ? AbortSignal.any([signal, inTime()]) : inTime()));
  } catch (error) {
    throw failure(error, signal);
  }
}

/**
 * readRows asks for a list past every cache, for a file: fields that the reader may not see stay empty. It throws the Problem
 * that it fails of.
 */
export async function readRows<Data, Variables, Rows>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  rowsOf: (data: Data) => Rows | null | undefined,
): Promise<Rows> {
  try {
    const rows = rowsOf(await read(document, variables));
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
 * write sends a mutation under an Idempotency-Key. The same mutation keeps its key until an answer says what became of it, so
 * that sending it again after a lost answer never does it twice. replayed is called where the server had done it before.
 */
export async function write<Data, Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  replayed: () => void,
): Promise<Data> {
  const sent = `${document} ${JSON.stringify(variables)}`;
  try {
    const answer = await post<Data>(document, variables, inTime(), keyFor(sent));
    if (answer.response.headers.get("Idempotency-Replayed") === "true") {
      replayed();
    }
    const data = take(answer);
    settle(sent);
    return data;
  } catch (error) {
    const failed = failure(error);
    if (failed instanceof GraphError && !failed.kind.transient) {
      settle(sent);
    }
    throw failed;
  }
}
