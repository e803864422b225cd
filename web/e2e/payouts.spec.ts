import { readFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import type { Api } from "./company";
import { expect, type Portal, test } from "./portal";

test.use({ kind: "paid-down", roles: ["accounting"] });

const figure = (portal: Portal, name: string, value: string) =>
  portal.page.getByLabel("Summary").locator("div").filter({ hasText: name }).filter({ hasText: value });

/** Presses a button and confirms its dialog. */
async function confirm(portal: Portal, button: string, action: string) {
  await portal.button(button).click();
  await portal.submit(action);
}

/** Chooses an action for a payout item. */
async function chooseItemAction(portal: Portal, item: Locator, action: string, reason?: string) {
  await item.getByRole("button", { name: /^Update / }).click();
  await portal.page.getByRole("menuitem", { name: action }).click();
  if (reason) {
    await portal.field("Reason").fill(reason);
    await portal.submit(action);
  }
}

/** Creates a syndicator payout. Returns its path. */
async function createPayout(accountant: Api, { from, to }: { from: string; to: string }): Promise<string> {
  const input = { kind: "PARTICIPATION", periodFrom: from, periodTo: to };
  const created = await accountant.graph(
    "mutation($input: NewPayoutBatch!) { it: makePayoutBatch(input: $input) { id } }",
    {
      input,
    },
  );
  return `/payouts/${created.it.id}`;
}

test.describe("the creator of a payout", () => {
  test.use({ as: "accounting" });

  test("cannot approve it", async ({ page, portal, company }) => {
    const { from, to } = company.data;
    await portal.goto("/payouts");
    await expect(portal.row("Commissions").getByText("Needs approval")).toBeVisible();
    await expect(portal.row("Commissions").getByText("Paydown")).toBeVisible();
    await portal.button("Create payout").click();
    await portal.field("From").fill("2020-01-01");
    await portal.field("To").fill("2020-01-31");
    await portal.press("Create payout");
    await expect(portal.dialog.getByText("There is nothing to pay out for that period.")).toBeVisible();
    await portal.checkPage("create-payout");
    await portal.field("From").fill(from);
    await portal.field("To").fill(to);
    await portal.press("Create payout");
    await expect(portal.heading(/^Payout \d/)).toBeVisible();
    await expect(figure(portal, "Total", "$14,400.00")).toBeVisible();
    await expect(figure(portal, "Pending (3)", "$14,400.00")).toBeVisible();
    await expect(page.getByText("You created this payout, so someone else must approve it.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("button", { name: /^(Approve|Pay)/ })).toHaveCount(0);
  });
});

test("a payout is approved and paid, with an item put on hold and released", async ({ page, portal, company }) => {
  const accountant = await company.staff("accounting");
  const payout = await createPayout(accountant, company.data);
  const name = `Payout ${payout.split("/").pop()}`;
  await portal.goto("/");
  await page.getByRole("link", { name: "Payouts to approve" }).click();
  await expect(portal.heading("Payouts")).toBeVisible();
  await expect(page).toHaveURL(/\?status=DRAFT$/);
  await expect(portal.row(name)).toBeVisible();
  await portal.checkPage("payouts-to-approve");
  await portal.link(name).click();
  await expect(portal.heading(name)).toBeVisible();
  await confirm(portal, `Approve ${name.toLowerCase()}`, "Approve");
  await expect(portal.badge("Ready to pay")).toBeVisible();
  await portal.loaded();
  await chooseItemAction(
    portal,
    portal.row(company.data.shared).first(),
    "Hold",
    "Their bank details are being checked",
  );
  await expect(portal.row("Their bank details are being checked")).toBeVisible();
  await confirm(portal, "Pay all", "Pay all");
  await expect(portal.badge("Partially paid")).toBeVisible();
  await expect(figure(portal, "Paid (2)", "$9,600.00")).toBeVisible();
  await expect(figure(portal, "On hold (1)", "$4,800.00")).toBeVisible();
  await portal.checkPage("payout");
  const download = page.waitForEvent("download");
  await portal.button("Export items as CSV").click();
  const text = readFileSync(await (await download).path(), "utf8");
  expect(text).toMatch(/Bayview Income Partners LP,D-\d+,Harbor Street Bakery LLC,4800.00,HELD,Their bank details/);
  await chooseItemAction(portal, portal.row("Their bank details"), "Release");
  await portal.row("Pending").getByRole("checkbox").check();
  await confirm(portal, "Pay 1 selected", "Pay 1 selected");
  await expect(portal.badge("Paid")).toBeVisible();
  await expect(page.getByText("On hold").first()).toBeHidden();
});

test("items of a failed transfer fail together, and are paid again", async ({ page, portal, company, staff }) => {
  const accountant = await company.staff("accounting");
  const payout = await createPayout(accountant, company.data);
  const id = payout.split("/").pop();
  await staff.graph("mutation($id: ID!) { approvePayoutBatch(id: $id) { id } }", { id });
  // Two items are paid by one transfer, and the first item by another.
  const { payout: batch } = await staff.graph(
    "query($id: ID!) { payout(id: $id) { lines(first: 3) { nodes { id } } } }",
    { id },
  );
  const [item] = batch.lines.nodes;
  await staff.graph('mutation($id: ID!) { holdPayoutItem(id: $id, reason: "Later") { id } }', item);
  await staff.graph("mutation($id: ID!) { payPayoutBatch(id: $id) { id } }", { id });
  await staff.graph("mutation($id: ID!) { releasePayoutItem(id: $id) { id } }", item);
  await staff.graph("mutation($id: ID!) { payPayoutBatch(id: $id) { id } }", { id });
  await portal.goto(`${payout}?status=PAID`);
  await expect(portal.row(company.data.shared)).toHaveCount(3);
  await chooseItemAction(portal, portal.row(company.data.shared).nth(2), "Mark failed", "No such account");
  await expect(portal.badge("Partially paid")).toBeVisible();
  await expect(page.getByText("2 items have failed.")).toBeVisible();
  await portal.goto(payout);
  await chooseItemAction(portal, portal.row("No such account").first(), "Release");
  await expect(page.getByText("One item has failed.")).toBeVisible();
  await expect(portal.row("No such account")).toHaveCount(1);
  await chooseItemAction(portal, portal.row("No such account"), "Release");
  await expect(page.getByText("failed").first()).toBeHidden();
  await confirm(portal, "Pay all", "Pay all");
  await expect(figure(portal, "Paid (3)", "$14,400.00")).toBeVisible();
  await expect(portal.badge("Paid")).toBeVisible();
});

test("drafted commissions are approved and paid by one person", async ({ portal }) => {
  await portal.goto("/payouts?kind=COMMISSION");
  await portal.page.getByRole("link", { name: /^Payout \d/ }).click();
  const heading = portal.heading(/^Payout \d/);
  await expect(heading).toBeVisible();
  const name = ((await heading.textContent()) ?? "").toLowerCase();
  await confirm(portal, `Approve ${name}`, "Approve");
  await confirm(portal, "Pay all", "Pay all");
  await expect(portal.badge("Paid")).toBeVisible();
  await expect(portal.row("Bridge Capital Brokers").getByText("Paid")).toBeVisible();
});
