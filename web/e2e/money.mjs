// Tells how money goes out: what syndicators are due is made by one person and approved by another, one item of it is held
// back and released, a transfer fails and is made again; of commissions, which nobody makes, who approves does not pay. Then a
// deal that is paid down is renewed, and another is not.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { button, heading, loaded, look, page, signIn, tell, told } from "./browser.mjs";

const { base, email, accountant, shared, other, from, to } = told;
const dialog = () => page.getByRole("dialog");
const row = (text) => page.getByRole("row").filter({ hasText: text });
const badge = (word) => page.locator("main").getByText(word, { exact: true }).first();
const figure = (name, value) =>
  page.getByLabel("What it comes to").locator("div").filter({ hasText: name }).filter({ hasText: value }).waitFor();

/** become has somebody else sign in. */
async function become(who, now) {
  if (now) {
    await page.getByRole("banner").getByRole("button", { name: now }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  } else {
    await page.goto(`${base}/`);
  }
  await heading("Sign in").waitFor();
  await signIn(who);
  await heading("Dashboard").waitFor();
}

/** confirm presses a button that asks before it acts, and says yes. */
async function confirm(open, act) {
  await button(open).click();
  await dialog().getByRole("button", { name: act, exact: true }).click();
  await dialog().waitFor({ state: "hidden" });
}

/** change does something with an item of the payout. */
async function change(item, act, reason) {
  await item.getByRole("button", { name: /^Change / }).click();
  await page.getByRole("menuitem", { name: act }).click();
  if (reason) {
    await dialog().getByLabel("Reason").fill(reason);
    await dialog().getByRole("button", { name: act, exact: true }).click();
    await dialog().waitFor({ state: "hidden" });
  }
}

async function makeAPayout() {
  await become(accountant);
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await heading("Payouts").waitFor();
  await row("Payout 1").getByText("To approve").waitFor();
  await row("Payout 1").getByText("Paydown").waitFor();
  await button("Make a payout").click();
  await dialog().getByLabel("First day").fill("2020-01-01");
  await dialog().getByLabel("Last day").fill("2020-01-31");
  await dialog().getByRole("button", { name: "Make payout" }).click();
  await dialog().getByText("There is nothing to pay out of that period.").waitFor();
  await look("make-payout");
  await dialog().getByLabel("First day").fill(from);
  await dialog().getByLabel("Last day").fill(to);
  await dialog().getByRole("button", { name: "Make payout" }).click();
  await heading("Payout 2").waitFor();
  await figure("In all", "$14,400.00");
  await figure("Waiting (3)", "$14,400.00");
  await page.getByText("You made this payout, so somebody else approves it.").waitFor();
  assert.equal(
    await page
      .locator("main")
      .getByRole("button", { name: /^(Approve|Pay)/ })
      .count(),
    0,
    "the maker is offered it",
  );
}

async function approveAndPay() {
  await become(email, accountant);
  await page.getByRole("link", { name: "Payouts to approve" }).click();
  await heading("Payouts").waitFor();
  assert.equal(new URL(page.url()).search, "?status=DRAFT");
  await row("Payout 2").waitFor();
  await look("payouts-to-approve");
  await page.getByRole("link", { name: "Payout 2", exact: true }).click();
  await heading("Payout 2").waitFor();
  await confirm("Approve payout 2", "Approve");
  await badge("To pay").waitFor();
  await loaded();
  await change(row(shared).first(), "Hold back", "Their bank details are being checked");
  await row("Their bank details are being checked").waitFor();
  await confirm("Pay all", "Pay all");
  await badge("Paid in part").waitFor();
  await figure("Paid (2)", "$9,600.00");
  await figure("Held back (1)", "$4,800.00");
  await look("payout");
  const [download] = await Promise.all([page.waitForEvent("download"), button("Save items as CSV").click()]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /Bayview Income Partners LP,D-\d+,Harbor Street Bakery LLC,4800.00,HELD,Their bank details/);
  await change(row("Their bank details"), "Release");
  await row("Waiting").getByRole("checkbox").check();
  await confirm("Pay 1 chosen", "Pay 1 chosen");
  await badge("Paid").waitFor();
  await page.getByText("Held back").first().waitFor({ state: "hidden" });
}

/** What one transfer paid fails together, and is paid again. */
async function failAndPayAgain() {
  await page.goto(`${base}/payouts/2?status=PAID`);
  await row(shared).nth(2).waitFor();
  await change(row(shared).nth(2), "The transfer failed", "No such account");
  await badge("Paid in part").waitFor();
  await page.getByText("2 items have failed.").waitFor();
  await page.goto(`${base}/payouts/2`);
  await change(row("No such account").first(), "Release");
  await page.getByText("One item has failed.").waitFor();
  await row("No such account").nth(1).waitFor({ state: "detached" });
  await change(row("No such account"), "Release");
  await page.getByText("failed").first().waitFor({ state: "hidden" });
  await confirm("Pay all", "Pay all");
  await figure("Paid (3)", "$14,400.00");
  await badge("Paid").waitFor();
}

/** Nobody made the commissions, so that whoever may approve them does. */
async function payWhatNobodyMade() {
  await page.goto(`${base}/payouts?kind=COMMISSION`);
  await page.getByRole("link", { name: "Payout 1", exact: true }).click();
  await heading("Payout 1").waitFor();
  await confirm("Approve payout 1", "Approve");
  await confirm("Pay all", "Pay all");
  await badge("Paid").waitFor();
  await row("Bridge Capital Brokers").getByText("Paid").waitFor();
}

async function renew() {
  await page.goto(`${base}/renewals`);
  await page.getByText("No deal may be renewed yet.").waitFor();
  await button("Look for renewals").click();
  await row(other).waitFor();
  await row(shared).getByText("55.38%").waitFor();
  await button(`Spoken to: ${shared}`).click();
  await row(shared).getByText("Spoken to").waitFor();
  await look("renewals");
  await button(`Dismiss: ${other}`).click();
  await dialog().getByLabel("Reason").fill("They sell the business");
  await dialog().getByRole("button", { name: "Dismiss" }).click();
  await row("They sell the business").getByText("Dismissed").waitFor();
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Spoken to" }).click();
  await page.getByText("1 in all").waitFor();
  await page.getByRole("link", { name: shared }).click();
  await heading(shared).waitFor();
  await button(`Start the renewal of ${shared}`).click();
  await dialog().getByText("$29,000.00").first().waitFor();
  await dialog().getByLabel("Funded amount").fill("40000.00");
  await dialog().getByText("at least twice the payoff, $58,000.00").waitFor();
  await dialog().getByLabel("Funded amount").fill("80000.00");
  await dialog().getByText("$51,000.00").waitFor();
  await look("start-renewal");
  await dialog().getByRole("button", { name: "Start the renewal" }).click();
  await heading(/^D-/).filter({ hasNotText: shared }).waitFor();
  await page.getByText("$80,000.00").first().waitFor();
  await page.getByRole("link", { name: shared }).click();
  await heading(shared).waitFor();
  const renewal = page.getByRole("region", { name: "Renewal" });
  await renewal.getByText(/inception/).waitFor();
  assert.equal(await renewal.getByRole("button", { name: /^Start/ }).count(), 0, "a second renewal is offered");
  await look("renewed-deal");
}

await tell(makeAPayout, approveAndPay, failAndPayAgain, payWhatNobodyMade, renew);
