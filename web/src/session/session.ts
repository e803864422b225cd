import { useSyncExternalStore } from "react";
import { auth, Problem, type Session } from "./auth";

// The page's session: undefined until loaded, null if signed out.

let current: Session | null | undefined;

// Whether the session has expired. The user can sign in again above the current screen.
let over = false;

// The user last signed in with this browser. If unset, there is no session to load. The session itself is an HttpOnly
// cookie that all tabs share.
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

// Another tab signed out, in again, or in as another user; in the last case this page reloads.
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

/** Returns the session, from the server on the first call. Throws a Problem if that fails. */
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

/** Returns the session: a new object for each sign-in. */
export const signedIn = () => current ?? null;

export function begin(session: Session) {
  set(session);
}

export function end() {
  set(null);
}

/** Marks the session as expired, in all tabs. */
export function expire() {
  if (current && !over) {
    over = true;
    localStorage.removeItem(hint);
    tellAll();
  }
}

/** Reports whether the user has to sign in again. */
export function useExpired(): boolean {
  return useSyncExternalStore(subscribe, () => over);
}

/** The session, or null if signed out. */
export function useMaybeSession(): Session | null {
  return useSyncExternalStore(subscribe, signedIn);
}

/** The session, for screens behind the login. */
export function useSession(): Session {
  return useMaybeSession() ?? nobody;
}

// For the moment between signing out and the login page.
const nobody: Session = {
  user: { id: 0, email: "", name: "", role: { id: 0, code: null, name: "" }, secondFactor: false },
  permissions: [],
  tenant: { id: 0, name: "", host: "", timeZone: "UTC" },
};
