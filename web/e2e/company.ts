import { type APIRequestContext, type APIResponse, expect, type Route, request } from "@playwright/test";

/** The company that internal/portal/companies_test.go created. */
type CreatedCompany = {
  host: string;
  /** By role: admin, and the roles that the test asked for. */
  members: Record<string, { id: number; email: string }>;
  password: string;
  key: string;
  /** URL of a test server that receives webhooks. */
  receiver: string;
  /** Data of this kind of company. */
  // biome-ignore lint/suspicious/noExplicitAny: depends on the kind
  data: any;
};

const port = process.env.PORTAL_PORT;

/** Creates a company for one test, with its own host, members and key. */
export async function createCompany(kind: string, roles: string[]): Promise<Company> {
  const response = await fetch(process.env.PORTAL_COMPANIES ?? "", {
    method: "POST",
    body: JSON.stringify({ kind, members: roles }),
  });
  return new Company((await response.json()) as CreatedCompany);
}

// biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape
type Json = any;

/** Calls a company's API with a key, or as a signed-in user. */
export class Api {
  constructor(readonly context: APIRequestContext) {}

  private async send(method: string, path: string, data: unknown): Promise<Json> {
    const response = await this.context.fetch(`/api/v1${path}`, { method, data });
    expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true);
    return response.json();
  }

  post = (path: string, data: unknown) => this.send("POST", path, data);
  get = (path: string) => this.send("GET", path, undefined);
  patch = (path: string, data: unknown) => this.send("PATCH", path, data);

  async graph(query: string, variables: Record<string, unknown> = {}): Promise<Json> {
    const response = await this.context.post("/graphql", { data: { query, variables } });
    const { data, errors } = await response.json();
    expect(errors, query).toBeUndefined();
    return data;
  }
}

/** The company of one test. */
export class Company {
  readonly origin: string;
  readonly members: CreatedCompany["members"];
  readonly admin: string;
  readonly password: string;
  readonly receiver: string;
  readonly data: CreatedCompany["data"];
  private contexts: APIRequestContext[] = [];

  constructor(private readonly created: CreatedCompany) {
    this.origin = `http://${created.host}:${port}`;
    this.members = created.members;
    this.admin = this.email("admin");
    this.password = created.password;
    this.receiver = created.receiver;
    this.data = created.data;
  }

  email(role: string): string {
    return this.created.members[role]?.email ?? "";
  }

  /** Node does not resolve subdomains of localhost, so the host goes into the header. */
  private async context(headers: Record<string, string> = {}): Promise<APIRequestContext> {
    const context = await request.newContext({
      baseURL: `http://127.0.0.1:${port}`,
      extraHTTPHeaders: { Host: this.created.host, ...headers },
    });
    this.contexts.push(context);
    return context;
  }

  /** Calls with a key that has every scope. */
  async api(): Promise<Api> {
    return new Api(await this.context({ Authorization: `Bearer ${this.created.key}` }));
  }

  /** Calls as a signed-in user. */
  async staff(role = "admin"): Promise<Api> {
    const context = await this.context();
    const response = await context.post("/auth/login", { data: { email: this.email(role), password: this.password } });
    expect(response.ok(), await response.text()).toBe(true);
    return new Api(context);
  }

  /** The storage state of a browser with a signed-in user. */
  async session(role: string) {
    const { cookies } = await (await this.staff(role)).context.storageState();
    const signedIn = { name: "paydown-signed-in", value: String(this.created.members[role]?.id) };
    return {
      cookies: cookies.map((cookie) => ({ ...cookie, domain: this.created.host })),
      origins: [{ origin: this.origin, localStorage: [signedIn] }],
    };
  }

  /** Fetches the response to a page's request, for a test that delays or drops it. */
  async fetchResponse(route: Route): Promise<APIResponse> {
    const headers = await route.request().allHeaders();
    return route.fetch({
      url: `http://127.0.0.1:${port}/graphql`,
      headers: { ...headers, host: `${this.created.host}:${port}` },
    });
  }

  async dispose() {
    await Promise.all(this.contexts.map((context) => context.dispose()));
  }
}
