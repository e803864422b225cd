import { useSyncExternalStore } from "react";
import { auth, Problem, type Session } from "./auth";

// Who is signed in, for the whole page: undefined until the server was asked, null where nobody is.

let current: Session | null | undefined;

// Whether the session of whoever is signed in has ended: they may sign in again, and what they have before them stays.
let over = false;

// Who was signed in with this browser last: if nobody, the server need not be asked. The session itself is a cookie that no
// script sees, and the same in all tabs.
const hint = "paydown-signed-in";
const listeners = new Set<() => void>();

function set(next: Session | null) {
  current = next;
  over = false;
  if (next) {
    localStorage.setItem(hint, String(next.user.id));
  } else {
    localStorage.removeItem(hint);
  }
  tellAll();
}

function tellAll() {
  for (const listener of listeners) {
    listener();
  }
}

// Another tab has signed out, in again, or in as somebody else. The page of one is nothing for another, so it begins anew.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== hint || !current) {
    return;
  }
  if (newValue === null) {
    expire();
  } else if (newValue !== String(current.user.id)) {
    window.location.reload();
  } else if (over) {
    begin({ ...current });
  }
});

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

/** signedIn is who is signed in, a value of its own each time that they sign in. */
export const signedIn = () => current ?? null;

/** begin takes note of who has signed in. */
export function begin(session: Session) {
  set(session);
}

/** end takes note that somebody has signed out. */
export function end() {
  set(null);
}

/** expire takes note that the session has ended by itself, in all tabs. */
export function expire() {
  if (current && !over) {
    over = true;
    localStorage.removeItem(hint);
    tellAll();
  }
}

/** useExpired reports whether whoever has the page before them has to sign in again. */
export function useExpired(): boolean {
  return useSyncExternalStore(subscribe, () => over);
}

/** useMaybeSession is who is signed in, if anybody is. */
export function useMaybeSession(): Session | null {
  return useSyncExternalStore(subscribe, signedIn);
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
