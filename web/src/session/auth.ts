// The /auth/ endpoints, where members of staff sign in and out.

/** An error of one field, as every API of the server returns it. */
export type Detail = { path: string; message: string };

/** An error from the server, worded for users. Support asks for its request id. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly requestId: string | undefined,
    readonly details: Detail[],
  ) {
    super(message);
    this.name = "Problem";
  }

  /** Returns the same problem with the form's names of its fields. */
  withPaths(fieldOf: (path: string) => string): Problem {
    const details = this.details.map((d) => ({ ...d, path: fieldOf(d.path) }));
    return new Problem(this.message, this.code, this.requestId, details);
  }
}

/** The problem of a call without a response. */
export function unreachable(): Problem {
  return new Problem(
    "The server cannot be reached. Check your connection and try again.",
    "unreachable",
    undefined,
    [],
  );
}

/** Times out after the server's own limit. */
export const requestTimeout = () => AbortSignal.timeout(100_000);

export type Session = {
  user: {
    id: number;
    email: string;
    name: string;
    role: { id: number; code: string | null; name: string };
    secondFactor: boolean;
  };
  permissions: string[];
  tenant: { id: number; name: string; host: string; timeZone: string };
};

/** Response to the password: the session, or a request for the second factor. */
export type FirstStep = Session | { secondFactor: true };

/** The secret of an authenticator, as text and as the URI of its QR code. */
export type Enrollment = { secret: string; uri: string };

type ErrorBody = { error?: string; code?: string; requestId?: string; details?: Detail[] };

async function call<Data>(path: string, body?: Record<string, string>): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(`/auth/${path}`, {
      method: body ? "POST" : "GET",
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : null,
      credentials: "same-origin",
      signal: requestTimeout(),
    });
  } catch {
    throw unreachable();
  }
  const data: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const body = data as ErrorBody;
    throw new Problem(
      body.error ?? `The server answered ${response.status}.`,
      body.code ?? String(response.status),
      body.requestId ?? response.headers.get("X-Request-Id") ?? undefined,
      body.details ?? [],
    );
  }
  return data as Data;
}

export const auth = {
  session: () => call<Session>("session"),
  login: (email: string, password: string) => call<FirstStep>("login", { email, password }),
  secondFactor: (code: string) => call<Session>("second-factor", { code }),
  logout: () => call<unknown>("logout", {}),
  reset: (token: string, password: string) => call<unknown>("reset", { token, password }),
  /** Ends all other sessions of the member. */
  changePassword: (currentPassword: string, newPassword: string) =>
    call<Session>("password", { currentPassword, newPassword }),
  enroll: (password: string) => call<Enrollment>("totp/enrol", { password }),
  confirm: (code: string) => call<Session & { recoveryCodes: string[] }>("totp/confirm", { code }),
  disable: (password: string) => call<unknown>("totp/disable", { password }),
  renewRecoveryCodes: (password: string) => call<{ recoveryCodes: string[] }>("recovery-codes", { password }),
};
