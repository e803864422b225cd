// Fixtures: a company per test, a signed-in browser, and a page that fails its test on console errors, blocked
// resources, requests to other hosts and accessibility problems.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { type Api, type Company, createCompany } from "./company";

export { expect };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Whether to run the page checks. They do not depend on the database, so they run on one only. */
export const runPageChecks = process.env.PORTAL_EXAMINE === "yes";

declare global {
  interface Window {
    reportViolation(violation: string): void;
    /** Set by injected markup if it ever runs. */
    planted?: boolean;
    axe: {
      run(on: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    };
  }
}

/** Collects console errors and other problems. A test allows expected ones by a part of their message. */
class Problems {
  private readonly recorded: string[] = [];
  private readonly allowed: string[] = [];

  add(problem: string) {
    this.recorded.push(problem);
  }

  allow(...parts: string[]) {
    this.allowed.push(...parts);
  }

  unexpected() {
    return this.recorded.filter((problem) => !this.allowed.some((part) => problem.includes(part)));
  }
}

/** The page object of the portal. */
export class Portal {
  constructor(
    readonly page: Page,
    private readonly company: Company,
    private readonly problems: Problems,
  ) {}

  heading = (name: string | RegExp) => this.page.getByRole("heading", { level: 1, name });
  button = (name: string | RegExp) => this.page.getByRole("button", { name, exact: true });
  link = (name: string | RegExp) => this.page.getByRole("link", { name, exact: true });
  tab = (name: string) => this.page.getByRole("tab", { name, exact: true });
  row = (text: string | RegExp) => this.page.getByRole("row").filter({ hasText: text });
  region = (name: string) => this.page.getByRole("region", { name });
  badge = (word: string) => this.page.getByRole("main").getByText(word, { exact: true }).first();

  /** A value in a labeled group. */
  figure = (label: string, value: string) =>
    this.page.getByLabel(label, { exact: true }).getByText(value, { exact: true }).first();

  /** The open dialog. */
  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  field = (label: string | RegExp) => this.dialog.getByLabel(label);
  /** A field of the dialog with an error. */
  invalid = (label: string) => this.dialog.getByLabel(label).and(this.page.locator("[aria-invalid=true]"));

  async goto(path: string) {
    await this.page.goto(path);
  }

  /** Navigates by the main menu. */
  async navigate(name: string) {
    await this.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
    await expect(this.heading(name)).toBeVisible();
  }

  /** Presses a button of the dialog. */
  async press(name: string) {
    await this.dialog.getByRole("button", { name, exact: true }).click();
  }

  /** Presses a button of the dialog, and expects the dialog to close. */
  async submit(name: string) {
    await this.press(name);
    await expect(this.dialog).toBeHidden();
  }

  /** Picks an option of a select. */
  async choose(label: string, option: string | RegExp, within: Locator = this.dialog) {
    await within.getByRole("combobox", { name: label }).click();
    await this.page.getByRole("option", { name: option }).click();
  }

  async signIn(email = this.company.admin, password = this.company.password) {
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByRole("textbox", { name: "Password" }).fill(password);
    await this.button("Sign in").click();
  }

  async signOut(email = this.company.admin) {
    await this.page.getByRole("banner").getByRole("button", { name: email }).click();
    await this.page.getByRole("menuitem", { name: "Sign out" }).click();
  }

  /** Waits until nothing is loading. */
  async loaded() {
    await expect(
      this.page.locator("main [role=status][aria-label^=Loading], main [aria-busy=true]").first(),
    ).toBeHidden();
  }

  /** Waits for rendering and animations. */
  private async waitForIdle() {
    await this.page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const animations = document.getAnimations().filter((a) => Number.isFinite(a.effect?.getComputedTiming().endTime));
      await Promise.allSettled(animations.map((animation) => animation.finished));
    });
  }

  /** Runs axe in both themes, and checks that the page fits a phone 390 pixels wide. */
  async checkPage(name: string) {
    if (!runPageChecks) {
      return;
    }
    await this.page.evaluate(axe);
    for (const colorScheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.waitForIdle();
      // A theme only changes colors.
      const rules = colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {};
      const { violations } = await this.page.evaluate(
        (options) => window.axe.run(document, { resultTypes: ["violations"], ...options }),
        rules,
      );
      for (const v of violations) {
        this.problems.add(`axe, ${name}, ${colorScheme}: ${v.id}: ${v.nodes[0]?.html.slice(0, 200)}`);
      }
    }
    await this.page.emulateMedia({ colorScheme: "light" });
    await this.page.setViewportSize({ width: 390, height: 800 });
    await this.waitForIdle();
    const width = await this.page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 390) {
      this.problems.add(`${name} is ${width} pixels wide on a 390 pixel screen`);
    }
    await this.page.setViewportSize({ width: 1280, height: 800 });
    await this.waitForIdle();
  }
}

/** Submits a form until it is accepted: the server rejects one that is submitted too quickly. */
export async function sendApplication(
  page: Page,
  send = () => page.getByRole("button", { name: "Submit application" }).click(),
) {
  const thanks = page.getByRole("heading", { level: 1, name: "Thank you" });
  await expect(async () => {
    if (!(await thanks.isVisible())) {
      await send();
    }
    await expect(thanks).toBeVisible({ timeout: 1000 });
  }).toPass({ intervals: [500] });
}

type Options = {
  /** The kind of company; see internal/portal/companies_test.go. */
  kind: string;
  /** Roles of the users besides the administrator. */
  roles: string[];
  /** Role of the signed-in user. Empty: signed out. */
  as: string;
};

type Fixtures = { company: Company; problems: Problems; portal: Portal; api: Api; staff: Api };

export const test = base.extend<Options & Fixtures>({
  kind: ["empty", { option: true }],
  roles: [[], { option: true }],
  as: ["admin", { option: true }],

  company: async ({ kind, roles }, use) => {
    const company = await createCompany(kind, roles);
    await use(company);
    await company.dispose();
  },
  api: async ({ company }, use) => use(await company.api()),
  staff: async ({ company }, use) => use(await company.staff()),
  baseURL: async ({ company }, use) => use(company.origin),
  storageState: async ({ company, as }, use) => use(as ? await company.session(as) : undefined),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern
  problems: async ({}, use) => {
    const problems = new Problems();
    await use(problems);
    expect(problems.unexpected(), "unexpected problems").toEqual([]);
  },

  context: async ({ context, company, problems }, use) => {
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        problems.add(`console: ${message.text()} (${message.page()?.url()})`);
      }
    });
    context.on("weberror", (error) => problems.add(`uncaught error: ${error.error().stack}`));
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin !== company.origin && !["data:", "blob:"].includes(url.protocol)) {
        problems.add(`request to another host: ${url}`);
      }
    });
    // A policy violation is a bug of the page, or injected markup.
    await context.exposeFunction("reportViolation", (violation: string) =>
      problems.add(`the content security policy blocked ${violation}`),
    );
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        window.reportViolation(
          `${event.violatedDirective} from ${event.blockedURI || "the page"} at ${event.documentURI}`,
        );
      });
    });
    await use(context);
  },

  portal: async ({ page, company, problems }, use) => use(new Portal(page, company, problems)),
});
