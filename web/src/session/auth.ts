// Calls of /auth/, where members of staff sign in and out.

/** What is wrong with one field, as every surface of the server says it. */
export type Detail = { path: string; message: string };

/** Problem is an error of the server, worded for users. Support asks for the request id. */
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

  /** The same problem, with the field names of a form that names them differently. */
  at(fieldOf: (path: string) => string): Problem {
    const details = this.details.map((d) => ({ ...d, path: fieldOf(d.path) }));
    return new Problem(this.message, this.code, this.requestId, details);
  }
}

/** unreachable is the problem of a call without an answer. */
export function unreachable(): Problem {
  return new Problem(
    "The server cannot be reached. Check your connection and try again.",
    "unreachable",
    undefined,
    [],
  );
}

/** inTime ends a call without an answer after the server would have given up itself. */
export const inTime = () => AbortSignal.timeout(100_000);

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

/** The first step of signing in: who is signed in, or that a second factor is asked for. */
export type FirstStep = Session | { secondFactor: true };

/** What an authenticator is set up with: to be typed, and as the address that a QR code shows. */
export type Enrolment = { secret: string; uri: string };

type Body = { error?: string; code?: string; requestId?: string; details?: Detail[] };

async function call<Answer>(path: string, body?: Record<string, string>): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/auth/${path}`, {
      method: body ? "POST" : "GET",
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : null,
      credentials: "same-origin",
      signal: inTime(),
    });
  } catch {
    throw unreachable();
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const said = answer as Body;
    throw new Problem(
      said.error ?? `The server answered ${response.status}.`,
      said.code ?? String(response.status),
      said.requestId ?? response.headers.get("X-Request-Id") ?? undefined,
      said.details ?? [],
    );
  }
  return answer as Answer;
}

export const auth = {
  session: () => call<Session>("session"),
  login: (email: string, password: string) => call<FirstStep>("login", { email, password }),
  secondFactor: (code: string) => call<Session>("second-factor", { code }),
  logout: () => call<unknown>("logout", {}),
  reset: (token: string, password: string) => call<unknown>("reset", { token, password }),
  /** All other sessions of the member end with the old password. */
  changePassword: (currentPassword: string, newPassword: string) =>
    call<Session>("password", { currentPassword, newPassword }),
  enrol: (password: string) => call<Enrolment>("totp/enrol", { password }),
  confirm: (code: string) => call<Session & { recoveryCodes: string[] }>("totp/confirm", { code }),
  disable: (password: string) => call<unknown>("totp/disable", { password }),
  renewRecoveryCodes: (password: string) => call<{ recoveryCodes: string[] }>("recovery-codes", { password }),
};
