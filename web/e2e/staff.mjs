// Tells how members of staff look after themselves and their company: what they are told, a second factor, a member who may
// only read, a session that ends in the middle of work, the keyboard alone, and lists that follow what happens.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { button, forgive, heading, loaded, look, page, settle, signIn, tell, told } from "./browser.mjs";

const { base, email, password, reader, key, endpoint, deal } = told;
const dialog = () => page.getByRole("dialog");

/** oneTimeCode is what an authenticator shows now, or some steps of half a minute later (RFC 6238). */
function oneTimeCode(secret, later = 0) {
  const bits = [...secret.replaceAll(" ", "")]
    .map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0"))
    .join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const hash = createHmac("sha1", bytes).update(counter).digest();
  const at = hash[19] & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** graph asks the graph as the page would, past what the page offers. */
const graph = (query) =>
  page.evaluate(async (text) => {
    const response = await fetch("/graphql", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: text }),
    });
    return response.json();
  }, query);

/** api calls the API as another system does. */
async function api(path, body) {
  const response = await fetch(`${base}/api/v1${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 201, await response.text());
}

/** cut has the server end what streams the member has: what they may do is another than when those began. */
async function cut() {
  const query = 'mutation { updateRole(id: 1, input: {permissions: ["*", "deals:read"]}) { id } }';
  const answer = await page.context().request.post(`${base}/graphql`, { data: { query } });
  const said = await answer.text();
  assert.ok(answer.ok() && !said.includes('"errors"'), said);
}

async function leave(as) {
  await page.getByRole("banner").getByRole("button", { name: as }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading("Sign in").waitFor();
}

async function readWhatHappened() {
  await page.goto(base);
  await signIn();
  await heading("Dashboard").waitFor();
  const bell = page.getByRole("button", { name: "Notifications, 1 unread" });
  await bell.click();
  await look("bell");
  await page.keyboard.press("Escape");
  await bell.click();
  await page.getByRole("link", { name: "An endpoint is paused" }).click();
  await page.waitForURL(`${base}/settings/webhooks/${endpoint}`);
  await page.getByRole("button", { name: "Notifications", exact: true }).waitFor();
  await page.getByRole("button", { name: "Notifications", exact: true }).click();
  await page.getByRole("link", { name: "All notifications" }).click();
  await heading("Notifications").waitFor();
  await page.getByRole("cell", { name: "An endpoint is paused" }).waitFor();
}

/** Deliveries and a deal's history come to whoever looks, and what was missed while cut off comes afterwards. */
async function watch() {
  await page.goto(`${base}/settings/webhooks/${endpoint}`);
  await page.getByText("Live", { exact: true }).waitFor();
  await api("/leads", { businessName: "Seen at once" });
  await page.getByRole("cell", { name: "lead.created" }).waitFor();
  await page.context().setOffline(true);
  await cut();
  await page.getByText("Connecting again").waitFor();
  await api("/merchants", { legalName: "Missed at first" });
  await page.context().setOffline(false);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("cell", { name: "merchant.created" }).waitFor();
  forgive("ERR_INTERNET_DISCONNECTED");
  await page.goto(`${base}/deals/${deal}?tab=history`);
  await page.getByText("Live", { exact: true }).waitFor();
  await loaded();
  await api("/payments", { dealId: deal, type: "ADVANCE_PAYBACK", amount: "10.00" });
  await page.getByRole("button", { name: /Payment create/ }).waitFor();
}

/** tabbed presses Tab until something of that name has the focus, and finds it marked at each step. */
async function tabbed(name, most = 40) {
  for (let i = 0; i < most; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      const marked = (of) => {
        const style = getComputedStyle(of);
        return style.outlineStyle !== "none" || style.boxShadow !== "none" || style.borderColor !== "";
      };
      return { name: e?.getAttribute("aria-label") || e?.textContent || "", shown: e ? marked(e) : false };
    });
    assert.ok(at.shown, `${at.name} does not show that it has the focus`);
    if (at.name.trim() === name) {
      return;
    }
  }
  assert.fail(`${name} is not reached by Tab`);
}

const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");

async function byKeyboardAlone() {
  await page.goto(`${base}/leads`);
  await heading("Leads").waitFor();
  await loaded();
  await tabbed("Skip to the content", 1);
  await page.keyboard.press("Enter");
  await tabbed("New lead");
  await page.keyboard.press("Enter");
  await dialog().getByLabel("Business name").waitFor();
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press(i % 3 === 2 ? "Shift+Tab" : "Tab");
    const inside = await page.evaluate(() => !!document.activeElement?.closest("[role=dialog]"));
    assert.ok(inside, "the focus leaves the dialog");
  }
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement?.textContent === "New lead");
  await page.goto(`${base}/`);
  await heading("Dashboard").waitFor();
  await tabbed(email);
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Your account" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await page.getByRole("menuitem", { name: "Your account" }).waitFor({ state: "hidden" });
  assert.equal((await focused()).trim(), email, "the focus goes back to what has opened the menu");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Your account" }).waitFor();
  await settle();
  for (let i = 0; i < 4 && (await focused()) !== "Your account"; i++) {
    await page.keyboard.press("ArrowDown");
  }
  assert.equal(await focused(), "Your account");
  await page.keyboard.press("Enter");
  await heading("Your account").waitFor();
}

async function setUpASecondFactor() {
  await button("Set up a second factor").click();
  await dialog().getByLabel("Your password").fill("not the password");
  await dialog().getByRole("button", { name: "Set up a second factor" }).click();
  await dialog().getByText("is wrong").waitFor();
  forgive(400);
  forgive(422);
  await dialog().getByLabel("Your password").fill(password);
  await dialog().getByRole("button", { name: "Set up a second factor" }).click();
  await page.getByRole("img", { name: "QR code" }).waitFor();
  await look("second-factor");
  const secret = await page.locator("main code").first().textContent();
  await page.getByRole("textbox", { name: "Code" }).fill(oneTimeCode(secret));
  await button("Turn on").click();
  await dialog().getByText("Each signs you in once").waitFor();
  const codes = (await dialog().locator("pre").textContent()).trim().split(/\s+/);
  assert.ok(codes.length >= 8, `${codes.length} recovery codes`);
  await look("recovery-codes");
  await dialog().getByLabel("I have stored it").check();
  await dialog().getByRole("button", { name: "Done" }).click();
  await page.getByText("The second factor is on.").waitFor();
  await leave(email);
  await signIn();
  await heading("Second factor").waitFor();
  await look("login-second-factor");
  await page.getByRole("textbox", { name: "Code" }).fill("000000");
  await button("Continue").click();
  await page.locator("main").getByRole("alert").filter({ hasText: /\w/ }).waitFor();
  forgive(401);
  // Each code is good once: the authenticator shows the next, and who has lost it uses a recovery code.
  await page.getByRole("textbox", { name: "Code" }).fill(codes[0]);
  await button("Continue").click();
  await heading("Your account").or(heading("Dashboard")).waitFor();
  await page.goto(`${base}/account`);
  await button("Turn off").click();
  await dialog().getByLabel("Your password").fill(password);
  await dialog().getByRole("button", { name: "Turn off" }).click();
  await page.getByText("The second factor is off.").waitFor();
}

/** Whose session ends while they write signs in above it, and goes on: nothing is lost. */
async function goOnAfterTheSessionEnded() {
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  await page.goto(`${base}/leads?status=NEW`);
  await page.getByText("Seen at once").first().waitFor();
  await button("New lead").click();
  await dialog().getByLabel("Business name").fill("Typed before");
  await page.evaluate(() => fetch("/auth/logout", { method: "POST" }));
  await dialog().getByRole("button", { name: "Enter lead" }).click();
  await again.waitFor();
  await look("session-ended");
  forgive(401);
  await page.keyboard.press("Escape");
  await again.getByRole("textbox", { name: "Password" }).fill(password);
  await again.getByRole("button", { name: "Sign in" }).click();
  await again.waitFor({ state: "hidden" });
  await dialog().getByRole("button", { name: "Enter lead" }).click();
  await heading("Typed before").waitFor();
}

/** All tabs have one session: it ends in all of them, and goes on in all of them. */
async function inTwoTabs() {
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  const second = await page.context().newPage();
  await second.goto(`${base}/leads`);
  await second.getByRole("button", { name: email }).click();
  await second.getByRole("menuitem", { name: "Sign out" }).click();
  await again.waitFor();
  await second.getByLabel("E-mail").fill(email);
  await second.getByRole("textbox", { name: "Password" }).fill(password);
  await second.getByRole("button", { name: "Sign in" }).click();
  await again.waitFor({ state: "hidden" });
  await second.close();
  await page.bringToFront();
  forgive(401); // of what this one asked for meanwhile
}

/** Nobody is told that they are signed out while they are not. */
async function failToSignOut() {
  await page.route("**/auth/logout", (route) => route.fulfill({ status: 502 }));
  await page.getByRole("banner").getByRole("button", { name: email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByText("The server answered 502.").waitFor();
  await page.unrouteAll();
  await heading("Typed before").waitFor();
  forgive(502);
}

async function lookAfterUsers() {
  await page.goto(`${base}/settings/users`);
  await button("New member").click();
  await dialog().getByLabel("E-mail").fill("new@portal.test");
  await dialog().getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "Underwriter" }).click();
  await dialog().getByRole("button", { name: "Make member" }).click();
  const link = page.getByRole("dialog").getByText(`${base}/reset?token=`);
  await link.waitFor();
  await dialog().getByLabel("I have stored it").check();
  await dialog().getByRole("button", { name: "Done" }).click();
  await heading("new@portal.test").waitFor();
  await page.getByText("Invited").waitFor();
  await page.goto(`${base}/settings/users?tab=roles`);
  await button("New role").click();
  await dialog().getByRole("textbox", { name: "Name" }).fill("Front desk");
  await dialog().getByLabel("Write leads").check();
  assert.ok(await dialog().getByLabel("Read leads").isChecked(), "write implies read");
  await look("role");
  await dialog().getByRole("button", { name: "Make role" }).click();
  await page.getByRole("cell", { name: "Front desk", exact: true }).waitFor();
}

/** Whoever may only read is offered nothing else, and is told so where they ask past the page. */
async function onlyRead() {
  await page.goto(`${base}/`);
  await heading("Dashboard").waitFor();
  await leave(email);
  await signIn(reader);
  await heading("Dashboard").waitFor();
  const nav = page.getByRole("navigation", { name: "Main" });
  for (const name of ["Users", "API keys", "Company", "Lists"]) {
    assert.equal(await nav.getByRole("link", { name, exact: true }).count(), 0, `${name} is offered`);
  }
  const writes =
    /^(new|edit|delete|convert|move|record|turn|send|make|add|draft|request|approve|submit|log|run|look|start|pay|dismiss)\b/i;
  for (const path of [
    "/leads",
    "/leads/1",
    "/merchants",
    "/merchants/1",
    "/deals",
    `/deals/${deal}`,
    "/payments",
    "/payouts",
    "/renewals",
  ]) {
    await page.goto(base + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await loaded();
    const offered = await page.locator("main").getByRole("button", { name: writes }).allTextContents();
    assert.deepEqual(offered, [], `${path} offers writes`);
  }
  const refused = await graph('mutation { createLead(input: {businessName: "Not theirs"}) { id } }');
  assert.equal(refused.errors?.[0].extensions.code, "forbidden");
  assert.match(refused.errors[0].message, /\w+ \w+/);
  forgive(403);
  for (const [path, what] of [
    ["keys", "API keys"],
    ["users", "Users"],
    ["users/1", "Users"],
  ]) {
    await page.goto(`${base}/settings/${path}`);
    await heading(`${what}: not for your role`).waitFor();
    assert.equal(await page.locator("main").getByRole("button").count(), 0, `${path} offers something`);
  }
}

await tell(
  readWhatHappened,
  watch,
  byKeyboardAlone,
  setUpASecondFactor,
  goOnAfterTheSessionEnded,
  inTwoTabs,
  failToSignOut,
  lookAfterUsers,
  onlyRead,
);
