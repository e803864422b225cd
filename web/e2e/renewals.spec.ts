import { expect, test } from "./portal";

test.use({ kind: "paid-down", roles: ["accounting"] });

test("eligible deals are found, contacted and dismissed", async ({ page, portal, company }) => {
  const { shared, other } = company.data;
  await portal.goto("/renewals");
  await expect(page.getByText("No deals are eligible for renewal.")).toBeVisible();
  await portal.button("Find renewals").click();
  await expect(portal.row(other)).toBeVisible();
  await expect(portal.row(shared).getByText("55.38%")).toBeVisible();
  await portal.button(`Mark contacted: ${shared}`).click();
  await expect(portal.row(shared).getByText("Contacted")).toBeVisible();
  await portal.checkPage("renewals");
  await portal.button(`Dismiss: ${other}`).click();
  await portal.field("Reason").fill("They sell the business");
  await portal.submit("Dismiss");
  await expect(portal.row("They sell the business").getByText("Dismissed")).toBeVisible();
  await portal.choose("Status", "Contacted", page.getByRole("main"));
  await expect(page.getByText("1 total")).toBeVisible();
});

test("a renewal pays off the prior deal", async ({ page, portal, company, staff }) => {
  const { shared } = company.data;
  await staff.graph("mutation { scanRenewals { opened } }");
  await portal.goto("/renewals");
  await page.getByRole("link", { name: shared }).click();
  await expect(portal.heading(shared)).toBeVisible();
  await portal.button(`Start renewal of ${shared}`).click();
  await expect(portal.dialog.getByText("$29,000.00").first()).toBeVisible();
  await portal.field("Funded amount").fill("40000.00");
  await expect(portal.dialog.getByText("at least twice the payoff, $58,000.00")).toBeVisible();
  await portal.field("Funded amount").fill("80000.00");
  await expect(portal.dialog.getByText("$51,000.00")).toBeVisible();
  await portal.checkPage("start-renewal");
  await portal.press("Start renewal");
  await expect(portal.heading(/^D-/).filter({ hasNotText: shared })).toBeVisible();
  await expect(page.getByText("$80,000.00").first()).toBeVisible();
  await page.getByRole("link", { name: shared }).click();
  await expect(portal.heading(shared)).toBeVisible();
  const renewal = portal.region("Renewal");
  await expect(renewal.getByText(/, new$/)).toBeVisible();
  await expect(renewal.getByRole("button", { name: /^Start/ }), "no second renewal").toHaveCount(0);
  await portal.checkPage("renewed-deal");
});
