// The browser that a story of the portal is told with: Chromium, watched for whatever no page may do. A Go test starts the
// story, with what it needs as JSON in PORTAL: base, email, password and chromium at least, and whether to examine each page
// with axe. PORTAL_SHOTS names a folder for screenshots, where somebody wants to look at them.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const told = JSON.parse(process.env.PORTAL);
const { base, email, password, chromium: program, examine } = told;
const shots = process.env.PORTAL_SHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const browser = await chromium.launch({
  executablePath: program,
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
  timeout: 120_000, // on a machine that is busy, as all bounds here
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
export const page = await context.newPage();
page.setDefaultTimeout(60_000);

/** What went wrong so far: the story fails where there is anything in the end. */
export const wrong = [];
/** The paths of the scripts that were loaded. */
export const scripts = new Set();
page.on("console", (message) => {
  if (["error", "warning"].includes(message.type())) {
    wrong.push(`the console says: ${message.text()} (${page.url()})`);
  }
});
page.on("pageerror", (error) => wrong.push(`not caught at ${page.url()}: ${error.message}`));
page.on("request", (request) => {
  const url = new URL(request.url());
  if (url.origin !== base && !["data:", "blob:"].includes(url.protocol)) {
    wrong.push(`a request leaves the host: ${url}`);
  }
  if (url.pathname.endsWith(".js")) {
    scripts.add(url.pathname);
  }
});

// What the page's policy has kept from happening is a fault of the page, or somebody's markup that came through.
await context.exposeFunction("keptByPolicy", (what) => wrong.push(`the policy has kept ${what}`));
await context.addInitScript(() => {
  document.addEventListener("securitypolicyviolation", (event) => {
    window.keptByPolicy(`${event.violatedDirective} from ${event.blockedURI || "the page"} at ${event.documentURI}`);
  });
});

/**
 * A press of the mouse is two events, and gets no click where something is drawn anew or slides in between them. So whatever is
 * to be clicked has to be where a mouse could press it, and then gets its click in one go.
 */
const locators = Object.getPrototypeOf(page.locator("body"));
const { click: press, check: tick } = locators;
locators.click = async function click() {
  if (this.page() !== page) {
    return press.call(this);
  }
  for (let clicked = false; !clicked; ) {
    await press.call(this, { trial: true });
    clicked = await this.evaluate((element) => {
      if (element.matches(":disabled")) {
        return false;
      }
      element.focus();
      element.click();
      return true;
    });
  }
};
locators.check = async function check() {
  if (this.page() !== page) {
    return tick.call(this);
  }
  if (!(await this.isChecked())) {
    await this.click();
  }
};

// What is told in a corner comes and goes by itself; it is in nobody's way.
await context.addInitScript(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("[class*=mantine-Notification] { pointer-events: none !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
});

export const heading = (name) => page.getByRole("heading", { level: 1, name });
export const button = (name) => page.getByRole("button", { name, exact: true });

/** signIn fills the form of the login, as whoever the story is about or as somebody else. */
export async function signIn(as = email) {
  await page.getByLabel("E-mail").fill(as);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await button("Sign in").click();
}

/** forgive takes back what the console said about an answer that the story is about, by its status. */
export function forgive(status) {
  wrong.splice(0, wrong.length, ...wrong.filter((w) => !w.includes(String(status))));
}

/**
 * settle waits until what has changed is drawn, and has its last colour. A page behind another one draws nothing, and what
 * turns for ever never ends.
 */
export async function settle() {
  await page.bringToFront();
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const ending = document.getAnimations().filter((a) => Number.isFinite(a.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** look examines the page in both themes, and takes its picture at both widths where that is asked for. */
export async function look(name) {
  if (examine) {
    await page.evaluate(axe);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await settle();
      // A theme changes colours and nothing else.
      const rules = colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {};
      const { violations } = await page.evaluate(
        (some) => window.axe.run(document, { resultTypes: ["violations"], ...some }),
        rules,
      );
      wrong.push(...violations.map((v) => `axe, ${name}, ${colorScheme}: ${v.id}: ${v.nodes[0].html.slice(0, 200)}`));
    }
    await page.emulateMedia({ colorScheme: "light" });
  }
  for (const width of shots ? [1280, 390] : [390]) {
    await page.setViewportSize({ width, height: 800 });
    await settle();
    if (shots) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${name}-${width}.png`) });
    }
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  if (wide > 390) {
    wrong.push(`${name} is ${wide} pixels wide on a screen of 390`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** loaded waits until the page shows its records rather than that they are on their way. */
export async function loaded() {
  await page.waitForFunction(
    () => !document.querySelector("main [role=status][aria-label^=Loading], main [aria-busy=true]"),
  );
}

/** A chapter takes seconds; one that takes so long stands still. */
const patience = 600_000;

/** tell tells the chapters of a story, and ends with what went wrong, if anything did. */
export async function tell(...chapters) {
  try {
    for (const chapter of chapters) {
      let watch;
      const standstill = new Promise((_, fail) => {
        watch = setTimeout(() => fail(new Error(`the chapter ${chapter.name} stands still`)), patience);
      });
      await Promise.race([chapter(), standstill]);
      clearTimeout(watch);
    }
  } catch (error) {
    wrong.push(
      `${error.stack}\nat ${page.url()}, which shows:\n${((await page.locator("main").textContent()) ?? "").slice(0, 2000)}`,
    );
  }
  await browser.close();
  if (wrong.length > 0) {
    console.error(wrong.join("\n\n"));
    process.exit(1);
  }
}
