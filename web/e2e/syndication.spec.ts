import type { Api } from "./company";
import { expect, test } from "./portal";
import { createDeal, createMerchant, moveDeal } from "./testData";

const name = "North Pier Capital";

/** Creates a syndicator with 24,000 in the wallet. */
async function createSyndicator(api: Api): Promise<number> {
  const { syndicator } = await api.post("/syndicators", { name, maxPerDeal: "30000.00" });
  await api.graph('mutation($id: ID!) { depositToWallet(id: $id, input: {amount: "24000"}) { id } }', {
    id: syndicator.id,
  });
  return syndicator.id;
}

test("a syndicator is created, deposits, and withdraws no more than the balance", async ({ page, portal }) => {
  await portal.goto("/syndicators");
  await expect(page.getByText("No syndicators yet.")).toBeVisible();
  await portal.button("New syndicator").click();
  await portal.dialog.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await portal.field("Management fee %").fill("3");
  await portal.choose("Management fee basis", "Of collections");
  await portal.field("Max per deal").fill("30000");
  await portal.submit("Create syndicator");
  await expect(portal.heading(name)).toBeVisible();
  await portal.button("Deposit").click();
  await portal.field("Amount").fill("25000");
  await portal.field("Bank reference").fill("wire 1871");
  await portal.submit("Deposit");
  await expect(portal.figure("Balances", "$25,000.00")).toBeVisible();
  await expect(page.getByRole("cell", { name: /wire 1871/ })).toBeVisible();
  await portal.button("Withdraw").click();
  await portal.field("Amount").fill("25000.01");
  await portal.press("Withdraw");
  await expect(portal.invalid("Amount")).toBeVisible();
  await portal.field("Amount").fill("1000");
  await portal.submit("Withdraw");
  await expect(portal.figure("Balances", "$24,000.00")).toBeVisible();
});

test("a participation above the wallet balance blocks funding", async ({ page, portal, api }) => {
  await createSyndicator(api);
  const deal = await createDeal(api);
  await portal.goto(`${deal.path}?tab=participations`);
  await portal.button("Add syndicator").click();
  await portal.choose("Syndicator", name);
  await expect(portal.dialog.getByText("$24,000.00 in the wallet")).toBeVisible();
  await portal.field("Participation %").fill("101");
  await portal.press("Add syndicator");
  await expect(portal.invalid("Participation %")).toBeVisible();
  await portal.field("Participation %").fill("70");
  await portal.submit("Add syndicator");
  await expect(page.getByText("Participations block funding")).toBeVisible();
  await portal.checkPage("participations-problem");
  await portal.button(`Edit participation of ${name}`).click();
  await portal.field("Participation %").fill("40");
  await portal.submit("Save");
  await expect(page.getByText("Participations block funding")).toBeHidden();
  await expect(portal.figure("Split", "60%")).toBeVisible();
});

test("a participation is paid and locked when the deal is funded", async ({ page, portal, api }) => {
  const syndicatorId = await createSyndicator(api);
  const deal = await createDeal(api);
  await api.graph("mutation($input: NewParticipation!) { createParticipation(input: $input) { id } }", {
    input: { dealId: deal.id, syndicatorId, percent: "40" },
  });
  await moveDeal(api, deal, "SUBMITTED", "PREFUNDED", "FUNDED");
  await portal.goto(`${deal.path}?tab=participations`);
  await expect(page.getByText("its participations are locked")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Add syndicator|Edit participation|Remove)/ })).toHaveCount(0);
  await expect(portal.row(name).getByText("$26,000.00")).toBeVisible();
  await portal.checkPage("participations");
  await page.getByRole("link", { name }).click();
  await expect(portal.heading(name)).toBeVisible();
  await expect(portal.figure("Balances", "$4,000.00")).toBeVisible();
  await expect(portal.row("Harbor Street Bakery").getByText("$20,000.00")).toBeVisible();
  await portal.loaded();
  await portal.checkPage("syndicator");
  await portal.goto("/syndicators?q=pier");
  await expect(portal.row(name).getByText("$4,000.00")).toBeVisible();
  await portal.checkPage("syndicators");
});

test("a financing statement is submitted, accepted and terminated", async ({ page, portal, api }) => {
  const merchantId = await createMerchant(api, { stateOfIncorporation: "DE" });
  const deal = await createDeal(api, { merchantId });
  await moveDeal(api, deal, "SUBMITTED", "PREFUNDED", "FUNDED");
  await portal.goto(`${deal.path}?tab=filings`);
  await portal.button(/^Mark submitted: filing/).click();
  await portal.submit("Mark submitted");
  await portal.button(/^Mark accepted: filing/).click();
  await portal.field("File number").fill("2026 0118734");
  await portal.submit("Mark accepted");
  await expect(page.getByText(/Continuation opens/)).toBeVisible();
  await portal.button(/^Draft UCC-3/).click();
  await portal.dialog.getByRole("combobox", { name: "Type" }).click();
  await expect(page.getByRole("option", { name: "Termination" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Continuation" }), "too early for a continuation").toHaveCount(0);
  await page.getByRole("option", { name: "Termination" }).click();
  await portal.submit("Save draft");
  await expect(portal.row("Termination").getByText("Draft", { exact: true })).toBeVisible();
  await portal.checkPage("filings");
});
