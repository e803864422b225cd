import { useThrottledCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { expire, useExpired } from "../session/session";
import type { TypedDocument } from "./typed";

// Subscriptions as server-sent events, one request each. Every event has an id; after a disconnect the client resumes
// after the last one it received, so it misses none.

/** live, waiting to reconnect, or ended for good. */
export type StreamState = "connecting" | "live" | "waiting" | "ended";

type Next = { data?: unknown; errors?: { extensions?: { code?: string } }[] };

/** Shortest and longest reconnect delay, in milliseconds. */
const soonest = 500;
const latest = 30_000;

/** In milliseconds. The server sends a heartbeat every 15 seconds; a stream that is silent for this long is aborted. */
const silence = 45_000;

/** Errors that a reconnect cannot fix. */
const final = ["unauthorized", "forbidden", "not_found", "validation_error", "bad_request"];

/** Parses the events of a stream as they arrive. alive is called for each chunk, heartbeats included. */
async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
): AsyncGenerator<{ name: string; data: string }> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    alive();
    text += value;
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const block of whole) {
      const lines = block.split("\n");
      const of = (field: string) =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ""))
          .join("\n");
      if (of("event")) {
        yield { name: of("event"), data: of("data") };
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
  let wait = soonest;
  let last = after;
  while (!signal.aborted) {
    listener.state(wait === soonest ? "connecting" : "waiting");
    const watch = watchman(silence);
    try {
      const response = await fetch("/graphql", {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
        body: JSON.stringify({ query, variables: { ...variables, after: last } }),
        credentials: "same-origin",
        signal: AbortSignal.any([signal, watch.signal]),
      });
      if (response.status === 401) {
        expire();
      }
      if (!response.ok || !response.body) {
        if (response.status < 500 && response.status !== 429) {
          listener.state("ended");
          return;
        }
        throw new Error(`the stream answered ${response.status}`);
      }
      listener.state("live");
      for await (const { name, data } of eventsOf(response.body, watch.alive)) {
        if (name === "complete") {
          listener.state("ended");
          return;
        }
        const next = JSON.parse(data) as Next;
        if (next.errors?.some((e) => final.includes(e.extensions?.code ?? ""))) {
          listener.state("ended");
          return;
        }
        if (next.data) {
          last = listener.event(next.data as Data) ?? last;
          wait = soonest;
        }
      }
    } catch {
      // The state shows the disconnect.
    } finally {
      watch.leave();
    }
    if (!signal.aborted) {
      listener.state("waiting");
      await pause(wait * (0.75 + Math.random() / 2), signal);
      wait = Math.min(wait * 2, latest);
    }
  }
}

/** Aborts after a silence in milliseconds: a lost network does not always close the connection. */
function watchman(length: number) {
  const cut = new AbortController();
  let timer = 0;
  const leave = () => clearTimeout(timer);
  const alive = () => {
    leave();
    timer = window.setTimeout(() => cut.abort(), length);
  };
  alive();
  return { signal: cut.signal, alive, leave };
}

/** Waits for the given milliseconds, or until the signal aborts. */
function pause(length: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, length);
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
  happened: () => void,
): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  const told = useRef({ idOf, happened });
  told.current = { idOf, happened };
  const asked = JSON.stringify(variables);
  const expired = useExpired();
  useEffect(() => {
    let stop: AbortController | undefined;
    let last: string | undefined;
    const begin = () => {
      if (stop || expired || window.document.visibilityState !== "visible") {
        return;
      }
      stop = new AbortController();
      const listener: Listener<Data> = {
        event: (data) => {
          last = told.current.idOf(data) ?? last;
          told.current.happened();
          return last;
        },
        state: (next) => {
          setState(next);
          if (next === "live") {
            told.current.happened();
          }
        },
      };
      void follow(document, JSON.parse(asked) as Variables, last, listener, stop.signal);
    };
    const look = () => {
      if (window.document.visibilityState === "visible") {
        begin();
      } else {
        stop?.abort();
        stop = undefined;
      }
    };
    begin();
    window.document.addEventListener("visibilitychange", look);
    return () => {
      window.document.removeEventListener("visibilitychange", look);
      stop?.abort();
    };
  }, [document, asked, expired]);
  return state;
}

/** Shortest time between two refetches of a live list, in milliseconds. */
const rhythm = 1000;

/** Counts events, throttled. Lists refetch when the count changes. */
export function useTurn(): [turn: number, happened: () => void] {
  const [turn, setTurn] = useState(0);
  return [turn, useThrottledCallback(() => setTurn((t) => t + 1), rhythm)];
}

/** Refetches a list when turn changes. A running fetch finishes first; otherwise a busy stream would starve it. */
export function useRefetch(turn: number | undefined, query: { isFetching: boolean; refetch: () => unknown }) {
  const seen = useRef(turn);
  const { isFetching, refetch } = query;
  useEffect(() => {
    if (turn !== undefined && turn !== seen.current && !isFetching) {
      seen.current = turn;
      refetch();
    }
  }, [turn, isFetching, refetch]);
}
