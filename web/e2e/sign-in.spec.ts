import { createHmac } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./portal";

/** Size limit of the first screen's scripts, in gzipped bytes. */
const firstScreen = 200_000;

test.describe("signing in", () => {
  test.use({ as: "" });

  test("rejects a wrong password, then returns to the requested page", async ({ page, portal, company, problems }) => {
    const scripts = new Set<string>();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith(".js")) {
        scripts.add(pathname);
      }
    });
    await portal.goto("/leads?status=NEW");
    await expect(portal.heading("Sign in")).toBeVisible();
    const dist = join(import.meta.dirname, "../dist");
    const size = [...scripts].reduce((total, path) => total + statSync(join(dist, `${path}.gz`)).size, 0);
    expect(size, "the first screen's scripts").toBeGreaterThan(50_000);
    expect(size, "the first screen's scripts").toBeLessThan(firstScreen);
    await portal.checkPage("login");
    // The message does not reveal which part was wrong.
    await portal.signIn(company.admin, "not the password");
    problems.allow("401");
    await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
    await portal.signIn();
    await expect(portal.heading("Leads")).toBeVisible();
    await expect(page).toHaveURL(/\?status=NEW$/);
  });
});

test("after signing out, every page leads to the sign-in page", async ({ portal }) => {
  await portal.goto("/");
  await expect(portal.heading("Dashboard")).toBeVisible();
  await portal.signOut();
  await expect(portal.heading("Sign in")).toBeVisible();
  await portal.goto("/deals");
  await expect(portal.heading("Sign in")).toBeVisible();
});

test("a failed sign-out is reported", async ({ page, portal, problems }) => {
  problems.allow("502");
  await page.route("**/auth/logout", (route) => route.fulfill({ status: 502 }));
  await portal.goto("/");
  await portal.signOut();
  await expect(page.getByText("The server answered 502.")).toBeVisible();
  await expect(portal.heading("Dashboard")).toBeVisible();
});

test("a user whose session expires signs in over the form and continues", async ({
  page,
  portal,
  company,
  problems,
}) => {
  problems.allow("401");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  const form = page.getByRole("dialog", { name: "New lead" });
  await portal.goto("/leads");
  await portal.button("New lead").click();
  await form.getByLabel("Business name").fill("Entered before");
  await page.evaluate(() => fetch("/auth/logout", { method: "POST" }));
  await form.getByRole("button", { name: "Create lead" }).click();
  await expect(dialog).toBeVisible();
  await portal.checkPage("session-ended");
  await page.keyboard.press("Escape");
  await dialog.getByRole("textbox", { name: "Password" }).fill(company.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog).toBeHidden();
  await form.getByRole("button", { name: "Create lead" }).click();
  await expect(portal.heading("Entered before")).toBeVisible();
});

test("a session ends and resumes in all tabs", async ({ page, context, portal, company, problems }) => {
  problems.allow("401"); // from requests of the first tab
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await portal.goto("/leads");
  await expect(portal.heading("Leads")).toBeVisible();
  const second = await context.newPage();
  await second.goto("/leads");
  await second.getByRole("button", { name: company.admin }).click();
  await second.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(dialog).toBeVisible();
  await second.getByLabel("Email").fill(company.admin);
  await second.getByRole("textbox", { name: "Password" }).fill(company.password);
  await second.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog).toBeHidden();
});

/** The code that an authenticator shows (RFC 6238). */
function oneTimeCode(secret: string): string {
  const bits = [...secret.replaceAll(" ", "")]
    .map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0"))
    .join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac("sha1", bytes).update(counter).digest();
  const at = (hash[19] ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

test("two-factor authentication is set up, used and turned off", async ({ page, portal, company, problems }) => {
  problems.allow("400", "401", "422");
  await portal.goto("/account");
  await portal.button("Set up two-factor authentication").click();
  await portal.field("Your password").fill("not the password");
  await portal.press("Set up two-factor authentication");
  await expect(portal.dialog.getByText("is wrong")).toBeVisible();
  await portal.field("Your password").fill(company.password);
  await portal.press("Set up two-factor authentication");
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  await portal.checkPage("second-factor");
  const secret = (await page.locator("main code").first().textContent()) ?? "";
  await page.getByRole("textbox", { name: "Code" }).fill(oneTimeCode(secret));
  await portal.button("Turn on").click();
  await expect(portal.dialog.getByText("Each code works once")).toBeVisible();
  const codes = ((await portal.dialog.locator("pre").textContent()) ?? "").trim().split(/\s+/);
  expect(codes.length).toBeGreaterThanOrEqual(8);
  await portal.checkPage("recovery-codes");
  await portal.field("I have saved it").check();
  await portal.press("Done");
  await expect(page.getByText("Two-factor authentication is on.")).toBeVisible();
  await portal.signOut();
  await portal.signIn();
  await expect(portal.heading("Two-factor authentication")).toBeVisible();
  await portal.checkPage("login-second-factor");
  await page.getByRole("textbox", { name: "Code" }).fill("000000");
  await portal.button("Continue").click();
  await expect(page.getByRole("main").getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
  // An authenticator code works only once, so this uses a recovery code.
  await page.getByRole("textbox", { name: "Code" }).fill(codes[0] ?? "");
  await portal.button("Continue").click();
  await expect(portal.heading(/Your account|Dashboard/)).toBeVisible();
  await portal.goto("/account");
  await portal.button("Turn off").click();
  await portal.field("Your password").fill(company.password);
  await portal.press("Turn off");
  await expect(page.getByText("Two-factor authentication is off.")).toBeVisible();
});
