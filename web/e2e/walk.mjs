// Walks through the portal as a member of staff would: signs in, keeps a lead, and looks at every address that it is told.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { button, forgive, heading, loaded, look, page, scripts, signIn, tell, told } from "./browser.mjs";

const { base, email, routes, business } = told;
const dist = join(import.meta.dirname, "../dist");

/** Of the scripts that the first screen loads, in bytes of gzip. */
const firstScreen = 200_000;

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
  forgive(401);
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

async function visit(places) {
  for (const [name, { path, title }] of places) {
    await page.goto(base + path);
    await heading(title).first().waitFor();
    await loaded();
    await look(name);
    assert.equal(await page.evaluate(() => window.planted), undefined, `stored markup has run at ${path}`);
  }
}

/** A chapter visits a dozen addresses. */
const all = Object.entries(routes);
const visits = all.flatMap((_, i) => (i % 12 ? [] : [() => visit(all.slice(i, i + 12))]));

await tell(logIn, keepALead, enterALead, exportTheList, ...visits, leave);
