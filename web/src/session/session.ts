import { useSyncExternalStore } from "react";
import { auth, Problem, type Session } from "./auth";

// The page's session: undefined until loaded, null if signed out.

let current: Session | null | undefined;

// Whether the session has expired. The user can sign in again above the current screen.
let expired = false;

// The user last signed in with this browser. If unset, there is no session to load. The session itself is an HttpOnly
// cookie that all tabs share.
const signedInKey = "paydown-signed-in";
const listeners = new Set<() => void>();

function set(next: Session | null) {
  current = next;
  expired = false;
  if (next) {
    localStorage.setItem(signedInKey, String(next.user.id));
  } else {
    localStorage.removeItem(signedInKey);
  }
  notifyListeners();
}

function notifyListeners() {
  for (const listener of listeners) {
    listener();
  }
}

// Another tab signed out, in again, or in as another user; in the last case this page reloads.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== signedInKey || !current) {
    return;
  }
  if (newValue === null) {
    expireSession();
  } else if (newValue !== String(current.user.id)) {
    window.location.reload();
  } else if (expired) {
    startSession({ ...current });
  }
});

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the session, from the server on the first call. Throws a Problem if that fails. */
export async function loadSession(): Promise<Session | null> {
  if (current === undefined && localStorage.getItem(signedInKey) === null) {
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
export const currentSession = () => current ?? null;

export function startSession(session: Session) {
  set(session);
}

export function endSession() {
  set(null);
}

/** Marks the session as expired, in all tabs. */
export function expireSession() {
  if (current && !expired) {
    expired = true;
    localStorage.removeItem(signedInKey);
    notifyListeners();
  }
}

/** Reports whether the user has to sign in again. */
export function useExpired(): boolean {
  return useSyncExternalStore(subscribe, () => expired);
}

/** The session, or null if signed out. */
export function useMaybeSession(): Session | null {
  return useSyncExternalStore(subscribe, currentSession);
}

/** The session, for screens behind the login. */
export function useSession(): Session {
  return useMaybeSession() ?? signedOut;
}

// For the moment between signing out and the login page.
const signedOut: Session = {
  user: { id: 0, email: "", name: "", role: { id: 0, code: null, name: "" }, secondFactor: false },
  permissions: [],
  tenant: { id: 0, name: "", host: "", timeZone: "UTC" },
};
