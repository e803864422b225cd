// Walks through the portal with Chromium, as a member of staff would, and ends with what went wrong, if anything did.
// A Go test starts it, with what it needs as JSON in PORTAL: base, email, password, chromium, the addresses to look at,
// and whether to examine each with axe. PORTAL_SHOTS names a folder for screenshots, where somebody wants to look at them.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const { base, email, password, chromium: program, routes, examine, business } = JSON.parse(process.env.PORTAL);
const shots = process.env.PORTAL_SHOTS;
const dist = join(import.meta.dirname, "../dist");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Of the scripts that the first screen loads, in bytes of gzip. */
const firstScreen = 200_000;

const browser = await chromium.launch({
  executablePath: program,
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
page.setDefaultTimeout(20_000);

const wrong = [];
const scripts = new Set();
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

const heading = (name) => page.getByRole("heading", { level: 1, name });
const button = (name) => page.getByRole("button", { name, exact: true });

async function signIn() {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await button("Sign in").click();
}

async function logIn() {
  await page.goto(`${base}/leads?status=NEW`);
  await heading("Sign in").waitFor();
  const size = [...scripts].reduce((total, path) => total + statSync(join(dist, `${path}.gz`)).size, 0);
  assert.ok(size > 50_000 && size < firstScreen, `the first screen's scripts are ${size} bytes in gzip`);
  await look("login");
  // A refusal is said in words, and nothing about which part of it was wrong. That it is one is in the console too.
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill("not the password");
  await button("Sign in").click();
  await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
  wrong.splice(0, wrong.length, ...wrong.filter((w) => !w.includes("401")));
  await signIn();
  await heading("Leads").waitFor();
  assert.equal(new URL(page.url()).search, "?status=NEW", "the login leads back to where one was");
}

async function keepALead() {
  await page.goto(`${base}/leads`);
  await page.getByText("2 in all").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(business.slice(0, 12));
  await page.waitForURL((url) => url.searchParams.get("q") === business.slice(0, 12));
  await page.getByText("1 in all").waitFor();
  await page.getByRole("link", { name: business }).first().focus();
  await page.keyboard.press("Enter");
  await heading(business).waitFor();
  assert.equal(await page.evaluate(() => window.planted), undefined, "stored markup has run");
  await button("Edit").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount asked for").fill("12,5");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Write an amount").waitFor();
  await dialog.getByLabel("Amount asked for").fill("1250.50");
  await dialog.getByLabel("Phone").fill("call me");
  await dialog.getByRole("button", { name: "Save" }).click();
  // The server's word about a field stands at the field.
  await dialog.getByLabel("Phone").and(page.locator("[aria-invalid=true]")).waitFor();
  await dialog.getByLabel("Phone").fill("(503) 555-0142");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("$1,250.50").waitFor();
}

async function enterALead() {
  await page.goto(`${base}/leads`);
  await button("New lead").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Business name").fill("Juniper Street Books");
  await dialog.getByRole("button", { name: "Enter lead" }).click();
  await heading("Juniper Street Books").waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await heading("Merchants").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await page.keyboard.press("Escape");
}

async function exportTheList() {
  await page.goto(`${base}/leads`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save leads as CSV" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  assert.ok(text.includes("'=HYPERLINK("), "a formula is made harmless");
  assert.ok(text.includes("Juniper Street Books"));
}

async function leave() {
  await page.goto(`${base}/`);
  await heading("Dashboard").waitFor();
  await page.getByRole("banner").getByRole("button", { name: email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading("Sign in").waitFor();
  await page.goto(`${base}/deals`);
  await heading("Sign in").waitFor();
}

/** settle waits until what has changed is drawn, and has its last colour. */
async function settle() {
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

/** look examines the page in both themes, and takes its picture at both widths where that is asked for. */
async function look(name) {
  if (examine) {
    await page.evaluate(axe);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await settle();
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
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

async function visitAll() {
  for (const [name, { path, title }] of Object.entries(routes)) {
    await page.goto(base + path);
    await heading(title).first().waitFor();
    await page.waitForFunction(
      () => !document.querySelector("main [role=status][aria-label^=Loading], main [aria-busy=true]"),
    );
    await look(name);
  }
}

try {
  await logIn();
  await keepALead();
  await enterALead();
  await exportTheList();
  await visitAll();
  await leave();
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
