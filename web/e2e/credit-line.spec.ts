import type { Api } from "./company";
import { expect, test } from "./portal";
import { createDeal, createMerchant, moveDeal } from "./testData";

test.use({ roles: ["funder"] });

/** A deal of 30,000 that can have a line of credit. */
async function createLineDeal(api: Api) {
  const merchantId = await createMerchant(api, { legalName: "Tamarack Auto Body LLC", state: "OR" });
  const terms = { productType: "LOC", fundedAmount: "30000.00", factorRate: "1.10", numberOfPayments: 100 };
  return createDeal(api, { merchantId, ...terms });
}

test("a line is opened, and a draw is requested within its limit", async ({ page, portal, api }) => {
  const deal = await createLineDeal(api);
  await portal.goto(`${deal.path}?tab=line`);
  await portal.button("Open line").click();
  await portal.field("Credit limit").fill("50000");
  await portal.submit("Open line");
  await expect(page.getByText("Funding the deal is the first draw")).toBeVisible();
  await moveDeal(api, deal, "SUBMITTED", "PREFUNDED", "FUNDED");
  await page.reload();
  await expect(portal.figure("Line of credit", "$20,000.00")).toBeVisible();
  await portal.button("Request draw").click();
  await portal.field("Amount").fill("20000.01");
  await portal.press("Request draw");
  await expect(portal.invalid("Amount")).toBeVisible();
  await portal.field("Amount").fill("12000");
  await portal.field("Fee withheld").fill("200");
  await portal.field("Requested by").fill("Dana Whitfield");
  await portal.submit("Request draw");
  await expect(portal.row("Dana Whitfield").getByText("Requested", { exact: true })).toBeVisible();
});

test.describe("a second user", () => {
  test.use({ as: "funder" });

  test("finds a pending draw, approves it and funds it", async ({ page, portal, api, staff }) => {
    const deal = await createLineDeal(api);
    const opened = await staff.graph(
      "mutation($input: NewCreditFacility!) { it: createCreditFacility(input: $input) { id } }",
      {
        input: { dealId: deal.id, creditLimit: "50000" },
      },
    );
    await moveDeal(api, deal, "SUBMITTED", "PREFUNDED", "FUNDED");
    await staff.graph("mutation($id: ID!, $input: NewDraw!) { requestDraw(facilityId: $id, input: $input) { id } }", {
      id: opened.it.id,
      input: { amount: "12000", feeAmount: "200", requestedBy: "Dana Whitfield" },
    });
    await portal.goto("/");
    await page.getByRole("listitem").filter({ hasText: "Draws to review" }).getByRole("link", { name: /^D-/ }).click();
    await expect(page).toHaveURL(/tab=line/);
    await portal.button("Approve the draw of $12,000.00").click();
    await portal.button("Fund draw of $12,000.00").click();
    await portal.submit("Fund draw");
    await expect(portal.row("Dana Whitfield").getByText("Funded")).toBeVisible();
    await expect(portal.row("Dana Whitfield").getByText("$13,200.00").first()).toBeVisible();
    await expect(portal.figure("Figures", "$46,200.00")).toBeVisible();
    await portal.checkPage("line");
    await portal.button("Record repayment: draw of $12,000.00").click();
    await portal.submit("Record");
    await expect(portal.row("Dana Whitfield").getByText("Repaid")).toBeVisible();
    await expect(portal.figure("Line of credit", "$20,000.00")).toBeVisible();
  });
});
