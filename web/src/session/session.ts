import { useSyncExternalStore } from "react";
import { auth, Problem, type Session } from "./auth";

// The session of the page: undefined until loaded, null where nobody is signed in.

let current: Session | null | undefined;

// Whether the session has expired: the user can sign in again above the current screen.
let over = false;

// The user last signed in with this browser; if none, the server need not be asked. The session itself is an HttpOnly cookie,
// shared by all tabs.
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

// Another tab signed out, in again, or in as another user, in which case this page reloads.
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

/** loadSession returns the session, asking the server once. It throws a Problem when the server cannot tell. */
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

/** signedIn returns the session: a new object for each sign-in. */
export const signedIn = () => current ?? null;

/** begin records a sign-in. */
export function begin(session: Session) {
  set(session);
}

/** end records a sign-out. */
export function end() {
  set(null);
}

/** expire records that the session has expired, in all tabs. */
export function expire() {
  if (current && !over) {
    over = true;
    localStorage.removeItem(hint);
    tellAll();
  }
}

/** useExpired tells whether the user has to sign in again. */
export function useExpired(): boolean {
  return useSyncExternalStore(subscribe, () => over);
}

/** useMaybeSession is the session, if there is one. */
export function useMaybeSession(): Session | null {
  return useSyncExternalStore(subscribe, signedIn);
}

/** useSession is the session, for screens behind the login. */
export function useSession(): Session {
  return useMaybeSession() ?? nobody;
}

// Shown for the moment between signing out and the login page.
const nobody: Session = {
  user: { id: 0, email: "", name: "", role: { id: 0, code: null, name: "" }, secondFactor: false },
  permissions: [],
  tenant: { id: 0, name: "", host: "", timeZone: "UTC" },
};
