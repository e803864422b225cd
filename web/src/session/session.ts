import { useSyncExternalStore } from "react";
import { auth, Problem, type Session } from "./auth";

// Who is signed in, for the whole page: undefined until the server was asked, null where nobody is.

let current: Session | null | undefined;

// Whether this browser was signed in when it was last here: if not, the server need not be asked. The session itself is a
// cookie that no script sees.
const hint = "paydown-signed-in";
const listeners = new Set<() => void>();

function set(next: Session | null) {
  current = next;
  if (next) {
    localStorage.setItem(hint, "1");
  } else {
    localStorage.removeItem(hint);
  }
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** loadSession is who is signed in; the server is asked once. It throws the Problem of a server that cannot say. */
export async function loadSession(): Promise<Session | null> {
  if (current === undefined && localStorage.getItem(hint) === null) {
    set(null);
  }
  if (current === undefined) {
    try {
      set(await auth.session());
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "unauthorized") {
        throw error;
      }
      set(null);
    }
  }
  return current ?? null;
}

/** begin takes note of who has signed in. */
export function begin(session: Session) {
  set(session);
}

/** end takes note that nobody is signed in any more, and reports whether somebody was. */
export function end(): boolean {
  const was = current != null;
  set(null);
  return was;
}

/** useMaybeSession is who is signed in, if anybody is. */
export function useMaybeSession(): Session | null {
  return useSyncExternalStore(subscribe, () => current ?? null);
}

/** useSession is who is signed in, for what is shown to nobody else. */
export function useSession(): Session {
  return useMaybeSession() ?? nobody;
}

// What is still on the page while it leaves for the login after a session has ended.
const nobody: Session = {
  user: { id: 0, email: "", name: "", role: { id: 0, code: null, name: "" }, secondFactor: false },
  permissions: [],
  tenant: { id: 0, name: "", host: "", timeZone: "UTC" },
};
