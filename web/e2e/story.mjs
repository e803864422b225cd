// Tells the story of a deal as staff live it, in the browser alone: an application comes in and is converted, its deal is
// priced, meets what blocks it, and has each block cleared where the portal leads; an offer is countered and accepted, the
// deal funded, payments collected, one of them bounced and made up for, the books read. Then another system is connected: an
// endpoint that hears of it, and a key.
import assert from "node:assert/strict";
import { button, heading, loaded, look, page, signIn, tell, told } from "./browser.mjs";

const { base, form, business, key, receiver } = told;
const dialog = () => page.getByRole("dialog");
const tab = (name) => page.getByRole("tab", { name, exact: true });
const row = (text) => page.getByRole("row").filter({ hasText: text });
const state = (word) => page.locator("main").getByText(word, { exact: true }).first();
let deal;

/** submit presses a dialog's button, and waits until the dialog is gone: it stays where something was refused. */
async function submit(name) {
  await dialog().getByRole("button", { name, exact: true }).click();
  await dialog().waitFor({ state: "hidden" });
}

/** choose picks an option of a select, by its words. */
async function choose(within, label, option) {
  await within.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}

/** open goes to a tab of the deal as a link does, without loading the page anew. */
async function open(name) {
  await tab(name).click();
  await loaded();
}

/** wants asks for a move, which opens a dialog that says what stands in its way. */
async function wants(move) {
  await page.getByRole("button", { name: /^Move D-/ }).click();
  await page.getByRole("menuitem", { name: move, exact: true }).click();
  await dialog().waitFor();
}

/** What a stranger sees has a page of its own, in the same browser: of the two, the one behind the other draws slowly. */
const outside = await page.context().newPage();
outside.setDefaultTimeout(20_000);
await page.bringToFront();

async function logIn() {
  await outside.goto(`${base}/apply/${form}`); // an applicant takes longer to fill it in than staff do to sign in
  await page.goto(`${base}/applications`);
  await heading("Sign in").waitFor();
  await signIn();
  await heading("Applications").waitFor();
  await page.getByText("No applications yet.").waitFor();
}

/** What is wrong with an application that somebody takes down stands at its field. This one telephones no more. */
async function takeOneDown() {
  await button("Take one down").click();
  await dialog().getByRole("textbox", { name: "Business", exact: true }).fill(business);
  await dialog().getByRole("textbox", { name: "E-mail" }).fill("office@harborstreet.test");
  await dialog().getByLabel("EIN").fill("12");
  await dialog().getByLabel("State").fill("CA");
  await dialog().getByRole("button", { name: "Take it down" }).click();
  await dialog().getByLabel("EIN").and(page.locator("[aria-invalid=true]")).waitFor();
  await submit("Cancel");
}

/** The applicant sends the form; sent sooner than anybody could have filled it in, it asks to be sent once more. */
async function apply() {
  await outside.bringToFront();
  await outside.getByLabel("Business").fill(business);
  await outside.getByLabel("E-mail").fill("office@harborstreet.test");
  await outside.getByLabel("EIN").fill("98-7654321");
  await outside.getByLabel("State").selectOption("CA");
  await outside.getByLabel("How much?").fill("50000.00");
  const thanks = outside.getByRole("heading", { name: "Thank you" });
  for (let sent = 0; sent < 20 && (await thanks.count()) === 0; sent++) {
    await outside.getByRole("button", { name: "Send the application" }).click();
    await outside.waitForLoadState();
  }
  await thanks.waitFor();
  await page.bringToFront();
  await places("Leads");
  await places("Applications");
  await page.getByRole("link", { name: business }).click();
  await heading(business).waitFor();
  await page.getByText("$50,000.00").waitFor();
}

/** places goes to a screen as the navigation leads there. */
async function places(name) {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
  await heading(name).waitFor();
}

async function convertIt() {
  await button("Convert").click();
  await dialog().getByRole("switch", { name: "Begin a deal" }).check();
  await submit("Convert application");
  await heading(/^D-/).waitFor();
  deal = new URL(page.url()).pathname;
  await state("Inception").waitFor();
}

/** The calculator says what terms come to; what is senseless is said at its field, and what is wanted becomes the deal's. */
async function priceIt() {
  const calculator = page.getByRole("region", { name: "Calculator" });
  await calculator.getByLabel("Amount to fund").fill("45000");
  await calculator.getByLabel("Factor").fill("3");
  await calculator.getByLabel("Factor").and(page.locator("[aria-invalid=true]")).waitFor();
  await calculator.getByLabel("Factor").fill("1.35");
  await calculator.getByLabel("Number of payments").fill("126");
  await choose(calculator, "Collected", "Daily");
  await calculator.getByText("$60,750.00").waitFor();
  await calculator.getByText("$482.15").waitFor();
  await button("Use these terms").click();
  await page.getByLabel("Figures", { exact: true }).getByText("$60,750.00").waitFor();
  await wants("Submit");
  await submit("Submit");
  await state("Submitted").waitFor();
}

/** What blocks the approval is told before it is asked for, and each block leads to where it is cleared. */
async function meetABlock() {
  await wants("Approve for funding");
  const blocks = dialog().getByRole("list", { name: "Funding blocks" });
  await blocks.getByText("No accepted approval").waitFor();
  await blocks.getByText("Statement missing or stale").waitFor();
  await look("blocked");
  await dialog().getByRole("button", { name: "Approve for funding" }).click();
  await dialog().getByRole("alert").getByText("No accepted approval:").waitFor();
  await blocks.getByRole("link", { name: "To the offers" }).click();
  await dialog().waitFor({ state: "hidden" });
  await page.getByRole("tab", { name: "Offers", selected: true }).waitFor();
}

/** An offer is drafted, sent and countered; the counter becomes an offer of its own, which the merchant takes. */
async function negotiate() {
  await page.getByRole("button", { name: /^Draft an offer/ }).click();
  assert.equal(
    await dialog().getByLabel("Funded amount").inputValue(),
    "45000.00",
    "a draft begins with the deal's terms",
  );
  await dialog().getByLabel("Bank fee").fill("3");
  await submit("Keep draft");
  const first = page.getByRole("article", { name: "Offer 1" });
  await first.getByText("$60,750.00").waitFor();
  await first.getByRole("button", { name: "Send offer 1" }).click();
  await submit("Send");
  await first.getByRole("link", { name: /\/offers\// }).waitFor();
  await first.getByRole("button", { name: "Counter to offer 1" }).click();
  await dialog().getByLabel("Funded amount").fill("50000.00");
  await dialog().getByLabel("Factor").fill("1.30");
  await dialog().getByLabel("In the merchant's words").fill("The second oven is dearer than we thought.");
  await submit("Note what is asked for");
  await first.getByRole("button", { name: "Agree to the counter to offer 1" }).click();
  const second = page.getByRole("article", { name: "Offer 2" });
  await second.getByText("$65,000.00").waitFor();
  await look("offers");
  // The merchant takes it on the page that the link leads to.
  await outside.bringToFront();
  await outside.goto(await second.getByRole("link", { name: /\/offers\// }).getAttribute("href"));
  await outside.getByLabel("Your full name").fill("Marisol Ibarra");
  await outside.getByRole("checkbox", { name: /accept this offer/ }).check();
  await outside.getByRole("button", { name: "Accept the offer" }).click();
  await outside.getByRole("heading", { name: "The offer is accepted" }).waitFor();
  await page.bringToFront();
  await page.goto(page.url());
  await second.getByText("Marisol Ibarra").waitFor();
  await page.getByLabel("Figures", { exact: true }).getByText("$50,000.00").waitFor();
}

/** A machine delivers what it read of the statements; they are old, which somebody may answer for. */
async function underwrite() {
  const answer = await fetch(`${base}/api/v1/deals/${deal.split("/").pop()}/statement-analysis`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      source: "statement-reader",
      periodStart: "2024-10-01",
      periodEnd: "2024-12-31",
      monthsCovered: 3,
      grossDeposits: "360000.00",
      trueRevenue3m: "345000.00",
      avgMonthlyTrueRevenue: "115000.00",
      estimatedMcaMonthly: "0.00",
      avgDailyBalance: "21000.00",
      positionCount: 0,
      nsfCount: 0,
      negativeDays: 0,
    }),
  });
  assert.ok(answer.ok, `the analysis is answered ${answer.status}: ${await answer.text()}`);
  await open("Underwriting");
  await page.getByText("Version 1 by statement-reader").waitFor();
  await button("Run the decision").click();
  await page.getByRole("heading", { name: /^Score \d+, category A/ }).waitFor();
  await look("decision");
  await wants("Approve for funding");
  await dialog().getByRole("button", { name: "Override: Statement missing or stale" }).click();
  await dialog().getByLabel("Why it need not hold the deal up").fill("Newer statements were seen at the branch.");
  await dialog().getByRole("button", { name: "Override", exact: true }).click();
  await dialog().getByText("Overridden").waitFor();
  await submit("Approve for funding");
  await state("Prefunded").waitFor();
}

/** The funding names everything that is still missing. */
async function meetTheFundingBlocks() {
  await wants("Fund");
  const blocks = dialog().getByRole("list", { name: "Funding blocks" });
  for (const name of ["Stips outstanding", "Bank unverified", "Contract unsigned", "Disclosure undelivered"]) {
    await blocks.getByText(name).waitFor();
  }
  await blocks.getByRole("link", { name: "To the stipulations" }).click();
  await page.getByRole("tab", { name: "Stipulations", selected: true }).waitFor();
}

async function clearTheStipulations() {
  const table = page.getByRole("table", { name: "Stipulations" });
  await table.waitFor();
  const waive = table.getByRole("button", { name: /^Waive: / });
  for (let left = await waive.count(); left > 0; left--) {
    await waive.first().click();
    await dialog().getByLabel("Reason").fill("Known to us since 2019.");
    await submit("Waive");
    await waive.nth(left - 1).waitFor({ state: "detached" });
  }
  await inQuickSuccession(table.getByRole("button", { name: /^It came in: / }));
  for (const act of [/^It came in: /, /^Approve: /]) {
    const buttons = table.getByRole("button", { name: act });
    for (let left = await buttons.count(); left > 0; left--) {
      await buttons.first().click();
      await buttons.nth(left - 1).waitFor({ state: "detached" });
    }
  }
  await page.getByText("Everything is here.").waitFor();
}

/** What is read after the first press does not know of the second yet: the page shows both all the same. */
async function inQuickSuccession(buttons) {
  const left = await buttons.count();
  let acts = 0;
  let toldBoth;
  const both = new Promise((done) => {
    toldBoth = done;
  });
  await page.route("**/graphql", async (route) => {
    if (route.request().headers().accept?.includes("text/event-stream")) {
      return route.continue(); // it has no end to wait for
    }
    const answer = await route.fetch();
    if (!route.request().postData().includes("mutation")) {
      await both;
    } else if (++acts === 2) {
      toldBoth();
    }
    await route.fulfill({ response: answer });
  });
  const read = page.waitForRequest((request) => request.postData()?.includes("query DealStipulations"));
  await buttons.nth(0).click();
  await read;
  await buttons.nth(1).click();
  await buttons.nth(left - 2).waitFor({ state: "detached" });
  await page.unrouteAll({ behavior: "wait" });
}

async function knowTheMerchant() {
  await page.getByRole("main").getByRole("link", { name: business }).click();
  await heading(business).waitFor();
  await button("Add a person").click();
  await dialog().getByLabel("First name").fill("Marisol");
  await dialog().getByLabel("Last name").fill("Ibarra");
  await dialog().getByLabel("E-mail").fill("owner@harborstreet.test");
  await dialog().getByRole("switch", { name: "Main contact" }).check();
  await submit("Add");
  await page.getByRole("article", { name: "Marisol Ibarra" }).getByText("Main contact").waitFor();
  await button("Add an account").click();
  await dialog().getByLabel("Routing number").fill("021000021");
  await dialog().getByLabel("Account number").fill("000123456789");
  await submit("Add");
  await page.getByRole("button", { name: "Verified: the account ending in 6789" }).click();
  await submit("Verified");
  await page.getByRole("table", { name: "Bank accounts" }).getByText("Verified", { exact: true }).waitFor();
  await page.getByLabel("New note").fill("The owner prefers to be called after closing time.");
  await button("Write down").click();
  await page
    .getByRole("article", { name: /^Note by/ })
    .getByText("after closing time")
    .waitFor();
  await look("merchant");
  await page.getByRole("link", { name: /^D-/ }).click();
  await heading(/^D-/).waitFor();
}

async function haveTheContractSigned() {
  await open("Signatures");
  await button("New request to sign").click();
  assert.equal(await dialog().getByRole("textbox", { name: "Signer" }).first().inputValue(), "Marisol Ibarra");
  await dialog().getByLabel("Signed with").fill("the signing desk");
  await choose(dialog(), "How many sign", /^2$/);
  await dialog()
    .getByRole("textbox", { name: /^Signer 2/ })
    .waitFor();
  assert.equal(await dialog().getByLabel("Signed with").inputValue(), "the signing desk", "what was typed stays");
  await choose(dialog(), "How many sign", /^1$/);
  await submit("Draft the request");
  await page.getByRole("button", { name: "Send: Contract" }).click();
  await submit("Send");
  await page.getByRole("button", { name: "Has seen it: Marisol Ibarra" }).click();
  await page.getByText("Viewed", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Signed: Marisol Ibarra" }).click();
  await dialog().getByLabel("Link to the signed document").fill("https://esign.example.com/documents/1");
  await submit("Note the signature");
  await page.getByText("Completed", { exact: true }).waitFor();
  await look("signatures");
}

async function disclose() {
  await open("Disclosures");
  await button("Make the disclosure").click();
  const made = page.getByRole("region", { name: "Disclosure 1, law of CA" });
  await made.getByText("Estimated APR").waitFor();
  await made.getByText("$16,500.00").waitFor();
  await made.getByRole("button", { name: "Delivered", exact: true }).click();
  await submit("Delivered");
  await made.getByRole("button", { name: "Signed on paper" }).click();
  await submit("Signed on paper");
  await made.getByText("Signed", { exact: true }).first().waitFor();
  await look("disclosed");
}

async function fund() {
  await wants("Fund");
  await dialog().getByText("Nothing stands in the way.").waitFor();
  await submit("Fund");
  await state("Funded").waitFor();
  await page.getByLabel("Figures", { exact: true }).getByText("$65,000.00").first().waitFor();
}

/** becomes says what became of the n-th payment of the deal's list. */
async function becomes(n, what) {
  await page
    .getByRole("button", { name: /^What became of/ })
    .nth(n)
    .click();
  await page.getByRole("menuitem", { name: what, exact: true }).click();
  await dialog().waitFor();
}

async function collect() {
  await open("Payments");
  await page.getByText("126 in all").waitFor();
  const first = page.getByRole("table", { name: "payments" }).getByRole("row").nth(1);
  await becomes(0, "Paid");
  await submit("Paid");
  await first.getByText("Paid", { exact: true }).waitFor();
  await page.getByLabel("Figures", { exact: true }).getByText("$64,484.12").waitFor();
  await becomes(1, "Paid");
  await submit("Paid");
  await page.getByLabel("Figures", { exact: true }).getByText("$63,968.24").waitFor();
  await becomes(1, "Bounced");
  await choose(dialog(), "Return code", /^R01 /);
  await submit("Bounced");
  await page.getByLabel("Figures", { exact: true }).getByText("$64,484.12").waitFor();
  await look("deal-payments");
}

/** The queue says what to do about what came back, and is empty once that is done. */
async function makeUpForIt() {
  await places("Payments");
  await tab("Bounce queue").click();
  await row("R01").getByText("Collect it once more").waitFor();
  await look("bounce-queue");
  await row("R01")
    .getByRole("button", { name: /^What became of/ })
    .click();
  await page.getByRole("menuitem", { name: "Schedule a make-up" }).click();
  await submit("Schedule a make-up");
  await page.getByText("Nothing has bounced that is not made up for.").waitFor();
}

async function readTheBooks() {
  await page.goto(`${base}${deal}?tab=ledger`);
  const entries = page.getByRole("table", { name: "Entries" });
  await entries.getByText("Funding").first().waitFor();
  // The bounce reverses what was booked: what came in was $515.88, and so was what went.
  assert.ok((await entries.getByText("$515.88").count()) >= 3, "the payments and the reversal are in the books");
  await tab("Overview").click();
  const payoff = page.getByRole("region", { name: "Payoff" });
  await payoff.getByText("$64,519.12").waitFor(); // with the fee for the return
}

/** Staff keep debits back, and let them go on. */
async function holdDebits() {
  await open("Payments");
  await button("Hold debits").click();
  await dialog().getByLabel("Reason").fill("The owner disputes a payment.");
  await dialog().getByRole("button", { name: "Hold debits" }).click();
  const banner = page.getByRole("note").filter({ hasText: "ACH debits on hold" });
  await banner.getByText("The owner disputes a payment.").waitFor();
  await look("deal-on-hold");
  await banner.getByRole("button", { name: /^Release hold/ }).click();
  await dialog().getByLabel("Note").fill("It was a mistake.");
  await dialog().getByRole("button", { name: "Release hold" }).click();
  await banner.waitFor({ state: "detached" });
}

async function speakToThem() {
  await open("Notes and calls");
  await button("Log a call").click();
  await dialog().getByLabel("What was said").fill("They know about the bounce.");
  await dialog().getByLabel("Minutes that the call took").fill("3");
  await submit("Log it");
  await page.getByRole("table", { name: "Calls and messages" }).getByText("They know about the bounce.").waitFor();
}

async function connectASystem() {
  await page.goto(`${base}/settings/webhooks`);
  await button("New endpoint").click();
  await dialog().getByLabel("Address").fill(receiver);
  await dialog().getByRole("button", { name: "Make endpoint" }).click();
  await page.getByRole("dialog", { name: "The signing secret" }).getByText("I have stored it").click();
  await button("Done").click();
  await heading(receiver).waitFor();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Webhooks" }).click();
  await heading("Webhooks").waitFor();
  // Something happens, and the endpoint hears of it.
  await fetch(`${base}/api/v1/merchants`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ legalName: "Juniper Street Books LLC" }),
  });
  await heard("merchant.created", 1);
  await button("Delivery 1").click();
  await dialog().getByText("Juniper Street Books LLC").waitFor();
  await look("delivery");
  await dialog().getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog", { name: "Delivery 2" }).waitFor();
  await dialog().getByRole("button", { name: "Close" }).click();
  await heard("merchant.created", 2);
}

/** heard waits until so many deliveries of an event have arrived, looking again as somebody would who waits for them. */
async function heard(event, times) {
  const arrived = row(event).filter({ hasText: "Delivered" });
  for (let looks = 0; looks < 50; looks++) {
    await tab("Endpoints").click();
    await tab("Deliveries").click();
    await loaded();
    if ((await arrived.count()) >= times) {
      return;
    }
  }
  assert.fail(`${await arrived.count()} deliveries of ${event} arrived, not ${times}`);
}

/** A key is shown once, and good for what it was given. */
async function makeAKey() {
  await page.goto(`${base}/settings/keys`);
  await button("New key").click();
  await dialog().getByLabel("Name").fill("Website");
  await choose(dialog(), "Scopes", "leads:write");
  await page.keyboard.press("Escape");
  await dialog().getByRole("button", { name: "Make key" }).click();
  const shown = page.getByRole("dialog").filter({ hasText: "I have stored it" });
  const token = await shown.locator("pre").textContent();
  const call = (path, init = {}) =>
    page.evaluate(
      async ([address, options]) => {
        const answer = await fetch(address, { ...options, credentials: "omit" });
        return [answer.status, await answer.json()];
      },
      [
        `/api/v1${path}`,
        { ...init, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } },
      ],
    );
  const [created, lead] = await call("/leads", {
    method: "POST",
    body: JSON.stringify({ businessName: "Sent by the website" }),
  });
  assert.equal(created, 201, JSON.stringify(lead));
  await shown.getByText("I have stored it").click();
  await button("Done").click();
  await places("Leads");
  await page.getByRole("link", { name: "Sent by the website" }).waitFor();
}

/** Who saves what somebody else has changed meanwhile is told so, and sees it; nothing is lost unseen. */
async function meetSomebodyElsesChange() {
  await page.getByRole("link", { name: "Sent by the website" }).click();
  await heading("Sent by the website").waitFor();
  await button("Edit").click();
  await dialog().getByLabel("Phone").fill("2125550100");
  await page.evaluate(async (id) => {
    const query = `mutation { updateLead(id: "${id}", input: {phone: "2125550199"}) { id } }`;
    const headers = { "Content-Type": "application/json" };
    await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query }) });
  }, page.url().split("/").pop());
  await dialog().getByRole("button", { name: "Save" }).click();
  await dialog().getByText("was changed in the meantime").waitFor();
  assert.equal(await dialog().getByLabel("Phone").inputValue(), "2125550100", "what was typed stays");
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await dialog().waitFor({ state: "hidden" });
  await button("Edit").click();
  assert.equal(await dialog().getByLabel("Phone").inputValue(), "2125550199", "what the other wrote is shown");
  await dialog().getByLabel("Phone").fill("2125550100");
  await submit("Save");
}

/** The merchant settles the whole deal by one payment, the fee for the return with it. */
async function payItOff() {
  await page.goto(`${base}${deal}`);
  await button("Pay off").click();
  await dialog().getByText("The payment of $64,519.12").waitFor();
  await choose(dialog(), "Method", "Wire");
  await dialog().getByLabel("Reference").fill("FED-20260105-1");
  await look("pay-off");
  await submit("Record the payoff");
  await page.getByRole("main").getByText("Closed", { exact: true }).first().waitFor();
  await page.getByRole("region", { name: "Payoff" }).waitFor({ state: "detached" });
}

await tell(
  logIn,
  takeOneDown,
  apply,
  convertIt,
  priceIt,
  meetABlock,
  negotiate,
  underwrite,
  meetTheFundingBlocks,
  clearTheStipulations,
  knowTheMerchant,
  haveTheContractSigned,
  disclose,
  fund,
  collect,
  makeUpForIt,
  readTheBooks,
  holdDebits,
  speakToThem,
  connectASystem,
  makeAKey,
  meetSomebodyElsesChange,
  payItOff,
);
