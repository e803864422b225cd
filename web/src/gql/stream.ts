import { useThrottledCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { expireSession, useExpired } from "../session/session";
import type { TypedDocument } from "./typed";

// Subscriptions as server-sent events, one request each. Every event has an id; after a disconnect the client resumes
// after the last one it received, so it misses none.

/** live, waiting to reconnect, or ended for good. */
export type StreamState = "connecting" | "live" | "waiting" | "ended";

type Next = { data?: unknown; errors?: { extensions?: { code?: string } }[] };

/** Shortest and longest reconnect delay, in milliseconds. */
const minDelay = 500;
const maxDelay = 30_000;

/** In milliseconds. The server sends a heartbeat every 15 seconds; a stream that is silent for this long is aborted. */
const idleTimeout = 45_000;

/** Errors that a reconnect cannot fix. */
const fatalCodes = ["unauthorized", "forbidden", "not_found", "validation_error", "bad_request"];

/** Parses the events of a stream as they arrive. alive is called for each chunk, heartbeats included. */
async function* parseEvents(
  body: ReadableStream<Uint8Array>,
  onData: () => void,
): AsyncGenerator<{ name: string; data: string }> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    onData();
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const fieldOf = (field: string) =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ""))
          .join("\n");
      if (fieldOf("event")) {
        yield { name: fieldOf("event"), data: fieldOf("data") };
      }
    }
  }
}

type Listener<Data> = {
  /** Handles an event. Returns the id to resume after. */
  event: (data: Data) => string | undefined;
  state: (state: StreamState) => void;
};

/** Keeps a stream open until the signal aborts. Reconnects with increasing delays. */
async function follow<Data>(
  query: string,
  variables: Record<string, unknown>,
  after: string | undefined,
  listener: Listener<Data>,
  signal: AbortSignal,
) {
  let delay = minDelay;
  let last = after;
  while (!signal.aborted) {
    listener.state(delay === minDelay ? "connecting" : "waiting");
    const idle = idleWatch(idleTimeout);
    try {
      const response = await fetch("/graphql", {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
        body: JSON.stringify({ query, variables: { ...variables, after: last } }),
        credentials: "same-origin",
        signal: AbortSignal.any([signal, idle.signal]),
      });
      if (response.status === 401) {
        expireSession();
      }
      if (!response.ok || !response.body) {
        if (response.status < 500 && response.status !== 429) {
          listener.state("ended");
          return;
        }
        throw new Error(`the stream answered ${response.status}`);
      }
      listener.state("live");
      for await (const { name, data } of parseEvents(response.body, idle.onData)) {
        if (name === "complete") {
          listener.state("ended");
          return;
        }
        const next = JSON.parse(data) as Next;
        if (next.errors?.some((e) => fatalCodes.includes(e.extensions?.code ?? ""))) {
          listener.state("ended");
          return;
        }
        if (next.data) {
          last = listener.event(next.data as Data) ?? last;
          delay = minDelay;
        }
      }
    } catch {
      // The state shows the disconnect.
    } finally {
      idle.stop();
    }
    if (!signal.aborted) {
      listener.state("waiting");
      await sleep(delay * (0.75 + Math.random() / 2), signal);
      delay = Math.min(delay * 2, maxDelay);
    }
  }
}

/** Aborts after a silence in milliseconds: a lost network does not always close the connection. */
function idleWatch(ms: number) {
  const controller = new AbortController();
  let timer = 0;
  const stop = () => clearTimeout(timer);
  const onData = () => {
    stop();
    timer = window.setTimeout(() => controller.abort(), ms);
  };
  onData();
  return { signal: controller.signal, onData, stop };
}

/** Waits for the given milliseconds, or until the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}

/**
 * Follows a subscription while the page is visible: a browser has few connections per host, and a hidden page needs
 * none. idOf returns the id to resume after. onEvent is called for each event, and on each connect, since the list was
 * read before that.
 */
export function useStream<Data, Variables extends Record<string, unknown>>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  idOf: (data: Data) => string | undefined,
  onEvent: () => void,
): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  const callbacks = useRef({ idOf, onEvent });
  callbacks.current = { idOf, onEvent };
  const serialized = JSON.stringify(variables);
  const expired = useExpired();
  useEffect(() => {
    let stop: AbortController | undefined;
    let last: string | undefined;
    const connect = () => {
      if (stop || expired || window.document.visibilityState !== "visible") {
        return;
      }
      stop = new AbortController();
      const listener: Listener<Data> = {
        event: (data) => {
          last = callbacks.current.idOf(data) ?? last;
          callbacks.current.onEvent();
          return last;
        },
        state: (next) => {
          setState(next);
          if (next === "live") {
            callbacks.current.onEvent();
          }
        },
      };
      void follow(document, JSON.parse(serialized) as Variables, last, listener, stop.signal);
    };
    const onVisibilityChange = () => {
      if (window.document.visibilityState === "visible") {
        connect();
      } else {
        stop?.abort();
        stop = undefined;
      }
    };
    connect();
    window.document.addEventListener("visibilitychange", onVisibilityChange);
    return () => {
      window.document.removeEventListener("visibilitychange", onVisibilityChange);
      stop?.abort();
    };
  }, [document, serialized, expired]);
  return state;
}

/** Shortest time between two refetches of a live list, in milliseconds. */
const refetchInterval = 1000;

/** Counts events, throttled. Lists refetch when the count changes. */
export function useRefreshKey(): [refreshKey: number, onEvent: () => void] {
  const [refreshKey, setRefreshKey] = useState(0);
  return [refreshKey, useThrottledCallback(() => setRefreshKey((key) => key + 1), refetchInterval)];
}

/** Refetches a list when turn changes. A running fetch finishes first; otherwise a busy stream would starve it. */
export function useRefetch(refreshKey: number | undefined, query: { isFetching: boolean; refetch: () => unknown }) {
  const lastKey = useRef(refreshKey);
  const { isFetching, refetch } = query;
  useEffect(() => {
    if (refreshKey !== undefined && refreshKey !== lastKey.current && !isFetching) {
      lastKey.current = refreshKey;
      refetch();
    }
  }, [refreshKey, isFetching, refetch]);
}
