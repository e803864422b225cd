// Tells how a deal is shared, its claim put on record, and a line of credit drawn on: a syndicator is entered and pays in, takes
// a share, which funding turns into money; the financing statement is sent and accepted; one colleague asks for a draw, and
// another approves it and pays it out.
import assert from "node:assert/strict";
import { button, heading, loaded, look, page, signIn, tell, told } from "./browser.mjs";

const { base, email, colleague, key, advance, line } = told;
const dialog = () => page.getByRole("dialog");
const row = (text) => page.getByRole("row").filter({ hasText: text });
const figure = (label, value) => page.getByLabel(label, { exact: true }).getByText(value, { exact: true }).first();

/** submit presses a dialog's button, and waits until the dialog is gone: it stays where something was refused. */
async function submit(name) {
  await dialog().getByRole("button", { name, exact: true }).click();
  await dialog().waitFor({ state: "hidden" });
}

async function choose(label, option) {
  await dialog().getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}

/** fund takes a deal through its states as another system does. */
async function fund(id) {
  for (const state of ["SUBMITTED", "PREFUNDED", "FUNDED"]) {
    const response = await fetch(`${base}/api/v1/deals/${id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
      body: JSON.stringify({ state }),
    });
    assert.equal(response.status, 200, await response.text());
  }
}

async function enterASyndicator() {
  await page.goto(`${base}/syndicators`);
  await signIn();
  await heading("Syndicators").waitFor();
  await page.getByText("No syndicators yet.").waitFor();
  await button("New syndicator").click();
  await dialog().getByRole("textbox", { name: "Name", exact: true }).fill("North Pier Capital");
  await dialog().getByLabel("Management fee, in per cent").fill("3");
  await choose("Management fee is", "Of what is collected");
  await dialog().getByLabel("Most in one deal").fill("30000");
  await submit("Enter syndicator");
  await heading("North Pier Capital").waitFor();
}

/** More than there is in a wallet is not paid out, and the field says why. */
async function payIn() {
  await button("Deposit").click();
  await dialog().getByLabel("Amount").fill("25000");
  await dialog().getByLabel("Reference of the transfer").fill("wire 1871");
  await submit("Deposit");
  await figure("Money", "$25,000.00").waitFor();
  await page.getByRole("cell", { name: /wire 1871/ }).waitFor();
  await button("Withdraw").click();
  await dialog().getByLabel("Amount").fill("25000.01");
  await dialog().getByRole("button", { name: "Withdraw" }).click();
  await dialog().getByLabel("Amount").and(page.locator("[aria-invalid=true]")).waitFor();
  await dialog().getByLabel("Amount").fill("1000");
  await submit("Withdraw");
  await figure("Money", "$24,000.00").waitFor();
}

/** A share is given, with what would keep the deal from being funded said, until it is changed to one that the wallet pays for. */
async function giveAShare() {
  await page.goto(`${base}/deals/${advance}?tab=participations`);
  await button("Give a share").click();
  await choose("Syndicator", "North Pier Capital");
  await dialog().getByText("$24,000.00 in the wallet").waitFor();
  await dialog().getByLabel("Share, in per cent").fill("101");
  await dialog().getByRole("button", { name: "Give share" }).click();
  await dialog().getByLabel("Share, in per cent").and(page.locator("[aria-invalid=true]")).waitFor();
  await dialog().getByLabel("Share, in per cent").fill("70");
  await submit("Give share");
  await page.getByText("The deal cannot be funded so").waitFor();
  await look("participations-problem");
  await button("Change the share of North Pier Capital").click();
  await dialog().getByLabel("Share, in per cent").fill("40");
  await submit("Save");
  await page.getByText("The deal cannot be funded so").waitFor({ state: "hidden" });
  await figure("Shares", "60%").waitFor();
}

async function itBecomesMoney() {
  await fund(advance);
  await page.reload();
  await page.getByText("its shares are fixed").waitFor();
  assert.equal(await page.getByRole("button", { name: /^(Give a share|Change|Remove)/ }).count(), 0);
  await row("North Pier Capital").getByText("$26,000.00").waitFor();
  await look("participations");
  await page.getByRole("link", { name: "North Pier Capital" }).click();
  await heading("North Pier Capital").waitFor();
  await figure("Money", "$4,000.00").waitFor();
  await row("Harbor Street Bakery").getByText("$20,000.00").waitFor();
  await loaded();
  await look("syndicator");
  await page.goto(`${base}/syndicators?q=pier`);
  await row("North Pier Capital").getByText("$4,000.00").waitFor();
  await look("syndicators");
}

async function putItOnRecord() {
  await page.goto(`${base}/deals/${advance}?tab=filings`);
  await page.getByRole("button", { name: /^Sent to the office: filing/ }).click();
  await submit("Sent to the office");
  await page.getByRole("button", { name: /^Accepted: filing/ }).click();
  await dialog().getByLabel("File number").fill("2026 0118734");
  await submit("Accepted");
  await page.getByText(/It can be continued from/).waitFor();
  await page.getByRole("button", { name: /^Draft a UCC-3/ }).click();
  await dialog().getByRole("combobox", { name: "Kind" }).click();
  assert.equal(
    await page.getByRole("option", { name: "Continuation" }).count(),
    0,
    "a continuation is offered too early",
  );
  await page.getByRole("option", { name: "Termination" }).click();
  await submit("Keep draft");
  await page.getByRole("row").filter({ hasText: "Termination" }).getByText("Draft", { exact: true }).waitFor();
  await look("filings");
}

async function askForADraw() {
  await page.goto(`${base}/deals/${line}?tab=line`);
  await button("Open the line").click();
  await dialog().getByLabel("Limit").fill("50000");
  await submit("Open line");
  await page.getByText("Its first draw is what the deal funds").waitFor();
  await fund(line);
  await page.reload();
  await figure("Line of credit", "$20,000.00").waitFor();
  await button("Ask for a draw").click();
  await dialog().getByLabel("Amount").fill("20000.01");
  await dialog().getByRole("button", { name: "Ask for draw" }).click();
  await dialog().getByLabel("Amount").and(page.locator("[aria-invalid=true]")).waitFor();
  await dialog().getByLabel("Amount").fill("12000");
  await dialog().getByLabel("Fee kept back of it").fill("200");
  await dialog().getByLabel("Who asks for it").fill("Dana Whitfield");
  await submit("Ask for draw");
  await row("Dana Whitfield").getByText("Requested", { exact: true }).waitFor();
}

/** Somebody else finds the draw among what waits, approves it, and pays it out. */
async function judgeIt() {
  await page.getByRole("banner").getByRole("button", { name: email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading("Sign in").waitFor();
  await signIn(colleague);
  await heading("Dashboard").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Draws to judge" }).getByRole("link", { name: /^D-/ }).click();
  await page.waitForURL((url) => url.searchParams.get("tab") === "line");
  await button("Approve the draw of $12,000.00").click();
  await button("Pay out the draw of $12,000.00").click();
  await submit("Pay out");
  await row("Dana Whitfield").getByText("Funded").waitFor();
  await row("Dana Whitfield").getByText("$13,200.00").first().waitFor();
  await figure("Figures", "$46,200.00").waitFor();
  await look("line");
  await button("Repaid: draw of $12,000.00").click();
  await submit("Record");
  await row("Dana Whitfield").getByText("Repaid").waitFor();
  await figure("Line of credit", "$20,000.00").waitFor();
}

await tell(enterASyndicator, payIn, giveAShare, itBecomesMoney, putItOnRecord, askForADraw, judgeIt);
