// The pages for people who are not staff: an application and the answers to two offers, by somebody whose browser runs no
// script, and then the files of a deal, by staff.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { browser, forgive, heading, look, page, signIn, tell, told, wrong } from "./browser.mjs";

const { base, form, accepted, declined, deal } = told;

/** plain tells a chapter in a browser without scripts, whose console must be silent too. */
async function plain(chapter) {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  const visitor = await context.newPage();
  visitor.setDefaultTimeout(20_000);
  visitor.on("console", (message) => {
    // A form that comes back is answered with what its status says.
    if (!message.text().startsWith("Failed to load resource")) {
      wrong.push(`without scripts the console says: ${message.text()} (${visitor.url()})`);
    }
  });
  await chapter(visitor);
  await context.close();
}

/** seen examines a page as everybody sees it: in both themes and at both widths. */
async function seen(path, title, name) {
  await page.goto(base + path);
  await heading(title).waitFor();
  await look(name);
}

async function applies(visitor) {
  await visitor.goto(base + form);
  await visitor.getByRole("heading", { level: 1, name: "Application" }).waitFor();
  await visitor.getByRole("button", { name: "Send the application" }).click();
  await visitor.getByRole("heading", { name: "answers need another look" }).waitFor();
  await visitor.getByRole("link", { name: "E-mail" }).click();
  if (!visitor.url().endsWith("#q-email")) {
    wrong.push(`the summary leads to ${visitor.url()}`);
  }
  const name = 'Harbor <script>window.planted = true</script> "Bakery"';
  await visitor.getByLabel("Legal name").fill(name);
  await visitor.getByLabel("E-mail").fill("no address");
  await visitor.getByLabel("How much").fill("$25,000");
  await visitor.getByLabel("State").selectOption({ label: "New York" });
  await visitor.getByLabel("I agree").check();
  await visitor.getByRole("button", { name: "Send the application" }).click();
  await visitor.getByText("Must be an e-mail address.").first().waitFor();
  if ((await visitor.getByLabel("Legal name").inputValue()) !== name) {
    wrong.push("an answer does not stay");
  }
  await visitor.getByLabel("E-mail").fill("ada@harbor.example");
  const thanks = visitor.getByRole("heading", { level: 1, name: "Thank you" });
  const hasty = visitor.getByText("That was very quick.");
  const opened = Date.now();
  do {
    await visitor.getByLabel("E-mail").press("Enter");
    await thanks.or(hasty).waitFor();
    assert.ok(Date.now() - opened < 20_000, "the form is taken once it is old enough");
    await pause(300); // a quick machine would use up what an address may send in a minute
  } while (await hasty.isVisible());
  await thanks.waitFor();
}

async function accepts(visitor) {
  await visitor.goto(base + accepted);
  await visitor.getByRole("heading", { level: 1, name: "Your offer of $50,000" }).waitFor();
  await visitor.getByText("Estimated annual percentage rate").waitFor();
  await visitor.getByRole("button", { name: "Accept the offer" }).click();
  await visitor.getByRole("heading", { name: "2 things need another look" }).waitFor();
  await visitor.getByLabel("Your full name").fill("Ada Marsh");
  await visitor.getByLabel("I have read the terms").check();
  await visitor.getByRole("button", { name: "Accept the offer" }).click();
  await visitor.getByRole("heading", { level: 1, name: "The offer is accepted" }).waitFor();
  await visitor.getByText("Ada Marsh accepted this offer").waitFor();
}

async function countersAndDeclines(visitor) {
  await visitor.goto(base + declined);
  await visitor.getByText("Ask for other terms").click();
  await visitor.getByLabel("Amount").fill("60,000");
  await visitor.getByLabel("What would suit you?").fill("Two ovens instead of one.");
  await visitor.getByRole("button", { name: "Ask for these terms" }).click();
  await visitor.getByText("You have asked for other terms.").waitFor();
  await visitor.getByText("Decline the offer").first().click();
  await visitor.getByLabel("Why do you decline it?").fill("Too dear.");
  await visitor.getByRole("button", { name: "Decline the offer" }).click();
  await visitor.getByRole("heading", { level: 1, name: "The offer is declined" }).waitFor();
}

/** files puts a file into a deal and gets it back, and sees what is not taken refused. */
async function files() {
  await page.goto(`${base}/login`);
  await signIn();
  await heading("Dashboard").waitFor();
  await page.goto(`${base}/deals/${deal}?tab=documents`);
  await page.getByText("No documents of this deal yet.").waitFor();
  const body = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n");
  const name = "M\u00e4rz <b>final<b>.pdf";
  const chosen = page.locator("input[type=file]");
  await chosen.setInputFiles({ name, mimeType: "application/pdf", buffer: body });
  await page.getByRole("link", { name }).waitFor();
  await look("deal-documents");
  const disguised = Buffer.from("<html><script>window.planted = true</script>");
  await chosen.setInputFiles({ name: "page.pdf", mimeType: "application/pdf", buffer: disguised });
  await page.getByText("is not what its name says").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
  if (!readFileSync(await download.path()).equals(body)) {
    wrong.push("the file that comes back is another");
  }
  if (await page.evaluate(() => window.planted)) {
    wrong.push("what somebody wrote was run");
  }
  forgive(415);
}

await tell(
  () => seen(form, "Application", "apply"),
  () => seen(accepted, "Your offer of $50,000", "offer"),
  () => plain(applies),
  () => plain(accepts),
  () => seen(accepted, "The offer is accepted", "offer-accepted"),
  () => plain(countersAndDeclines),
  files,
);
