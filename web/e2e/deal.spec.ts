import { expect, type Portal, test } from "./portal";
import {
  createAcceptedOffer,
  createDeal,
  createFundedDeal,
  createPrefundedDeal,
  createStipulation,
  moveDeal,
  uploadStatementAnalysis,
} from "./testData";

/** Opens the dialog that changes the stage. */
async function openStageDialog(portal: Portal, state: string) {
  await portal.button(/^Change stage of D-/).click();
  await portal.page.getByRole("menuitem", { name: state, exact: true }).click();
  await expect(portal.dialog).toBeVisible();
}

const figures = (portal: Portal) => portal.page.getByLabel("Figures", { exact: true });
const blocks = (portal: Portal) => portal.dialog.getByRole("list", { name: "Funding blocks" });

test("the calculator quotes terms and applies them to the deal", async ({ page, portal, api }) => {
  const deal = await createDeal(api, {
    fundedAmount: null,
    factorRate: null,
    numberOfPayments: null,
    collectionFrequency: null,
  });
  await portal.goto(deal.path);
  const calculator = portal.region("Calculator");
  await calculator.getByLabel("Funded amount").fill("45000");
  await calculator.getByLabel("Factor rate").fill("3");
  await expect(calculator.getByLabel("Factor rate").and(page.locator("[aria-invalid=true]"))).toBeVisible();
  await calculator.getByLabel("Factor rate").fill("1.35");
  await calculator.getByLabel("Number of payments").fill("126");
  await portal.choose("Frequency", "Daily", calculator);
  await expect(calculator.getByText("$60,750.00")).toBeVisible();
  await expect(calculator.getByText("$482.15").first()).toBeVisible();
  await portal.button("Apply to deal").click();
  await expect(figures(portal).getByText("$60,750.00")).toBeVisible();
  await openStageDialog(portal, "Submit");
  await portal.submit("Submit");
  await expect(portal.badge("Submitted")).toBeVisible();
});

test.describe("with every funding block on", () => {
  test.use({ kind: "strict" });

  test("approval blocks link to where they are cleared", async ({ page, portal, api }) => {
    const deal = await createDeal(api);
    await moveDeal(api, deal, "SUBMITTED");
    await portal.goto(deal.path);
    await openStageDialog(portal, "Approve for funding");
    await expect(blocks(portal).getByText("No accepted approval")).toBeVisible();
    await expect(blocks(portal).getByText("Statement missing or stale")).toBeVisible();
    await portal.checkPage("blocked");
    await portal.press("Approve for funding");
    await expect(portal.dialog.getByRole("alert").getByText("No accepted approval:")).toBeVisible();
    await blocks(portal).getByRole("link", { name: "Go to offers" }).click();
    await expect(portal.dialog).toBeHidden();
    await expect(page.getByRole("tab", { name: "Offers", selected: true })).toBeVisible();
  });

  test("a decision is run, and a block for old statements is overridden", async ({ page, portal, api, staff }) => {
    const deal = await createDeal(api);
    await moveDeal(api, deal, "SUBMITTED");
    await createAcceptedOffer(staff, deal);
    await uploadStatementAnalysis(api, deal, "2024-12-31");
    await portal.goto(`${deal.path}?tab=underwriting`);
    await expect(page.getByText("Version 1 by statement-reader")).toBeVisible();
    await portal.button("Run decision").click();
    await expect(page.getByRole("heading", { name: /^Score \d+, category A/ })).toBeVisible();
    await portal.checkPage("decision");
    await openStageDialog(portal, "Approve for funding");
    await portal.press("Override: Statement missing or stale");
    await portal.field("Override reason").fill("Newer statements were seen at the branch.");
    await portal.press("Override");
    await expect(portal.dialog.getByText("Overridden")).toBeVisible();
    await portal.submit("Approve for funding");
    await expect(portal.badge("Prefunded")).toBeVisible();
  });

  test("funding blocks are cleared, and the deal is funded", async ({ page, portal, api, staff }) => {
    const deal = await createPrefundedDeal(api, staff);
    await portal.goto(deal.path);
    await openStageDialog(portal, "Fund");
    for (const name of ["Stips outstanding", "Bank unverified", "Contract unsigned", "Disclosure undelivered"]) {
      await expect(blocks(portal).getByText(name)).toBeVisible();
    }
    await blocks(portal).getByRole("link", { name: "Go to stipulations" }).click();
    await expect(page.getByRole("tab", { name: "Stipulations", selected: true })).toBeVisible();

    const table = page.getByRole("table", { name: "Stipulations" });
    await expect(table).toBeVisible();
    const receiveButtons = table.getByRole("button", { name: /^Mark received: / });
    await expect(receiveButtons.first()).toBeVisible();
    for (let left = await receiveButtons.count(); left > 0; left--) {
      await receiveButtons.first().click();
      await expect(receiveButtons).toHaveCount(left - 1);
    }
    const waive = table.getByRole("button", { name: /^Waive: / });
    if ((await waive.count()) > 0) {
      await waive.first().click();
      await portal.field("Reason").fill("Known to us since 2019.");
      await portal.submit("Waive");
    }
    const approve = table.getByRole("button", { name: /^Approve: / });
    for (let left = await approve.count(); left > 0; left--) {
      await approve.first().click();
      await expect(approve).toHaveCount(left - 1);
    }
    await expect(page.getByText("All stipulations are complete.")).toBeVisible();

    const input = {
      merchantId: deal.merchantId,
      holderName: "Harbor",
      routingNumber: "021000021",
      accountNumber: "000123456789",
    };
    const account = await staff.graph(
      "mutation($input: NewBankAccount!) { it: addBankAccount(input: $input) { id } }",
      { input },
    );
    await staff.graph("mutation($id: ID!) { verifyBankAccount(id: $id) { id } }", { id: account.it.id });
    const disclosure = await staff.graph("mutation($id: ID!) { it: makeDisclosure(dealId: $id) { id } }", {
      id: deal.id,
    });
    await staff.graph("mutation($id: ID!) { deliverDisclosure(id: $id) { id } }", { id: disclosure.it.id });
    await staff.graph("mutation($id: ID!) { signDisclosure(id: $id) { id } }", { id: disclosure.it.id });
    const request = await staff.graph(
      "mutation($input: NewSignatureRequest!) { it: createSignatureRequest(input: $input) { id } }",
      {
        input: {
          dealId: deal.id,
          kind: "CONTRACT",
          title: "Contract",
          provider: "desk",
          signers: [{ name: "Marisol Ibarra", email: "m@harbor.test" }],
        },
      },
    );
    const sent = await staff.graph("mutation($id: ID!) { it: sendSignatureRequest(id: $id) { signers { id } } }", {
      id: request.it.id,
    });
    await staff.graph(
      "mutation($id: ID!, $input: RecordSignature!) { recordSignature(id: $id, input: $input) { id } }",
      {
        id: sent.it.signers[0].id,
        input: { documentUrl: "https://esign.example.com/documents/1" },
      },
    );
    await openStageDialog(portal, "Fund");
    await expect(portal.dialog.getByText("Ready to fund")).toBeVisible();
    await portal.submit("Fund");
    await expect(portal.badge("Funded")).toBeVisible();
    await expect(figures(portal).getByText("$65,000.00").first()).toBeVisible();
  });
});

test("an offer is drafted, sent and countered, and the merchant accepts the new one", async ({
  context,
  page,
  portal,
  api,
}) => {
  const deal = await createDeal(api, { fundedAmount: "45000.00", factorRate: "1.35" });
  await moveDeal(api, deal, "SUBMITTED");
  await portal.goto(`${deal.path}?tab=submissions`);
  await page.getByRole("button", { name: /^Draft offer/ }).click();
  await expect(portal.field(/^Funded amount$/), "a draft starts with the deal's terms").toHaveValue("45000.00");
  await portal.field("Bank fee (% of funded amount)").fill("3");
  await portal.submit("Save draft");
  const offers = page.getByRole("article", { name: /^Offer \d/ });
  const first = offers.filter({ hasText: "$60,750.00" });
  await first.getByRole("button", { name: /^Send offer/ }).click();
  await portal.submit("Send");
  await expect(first.getByRole("link", { name: /\/offers\// })).toBeVisible();
  await first.getByRole("button", { name: /^Record counter to offer/ }).click();
  await portal.field(/^Funded amount$/).fill("50000.00");
  await portal.field("Factor rate").fill("1.30");
  await portal.field("Merchant's comments").fill("The second oven costs more than expected.");
  await portal.submit("Record counter");
  await first.getByRole("button", { name: /^Accept counter/ }).click();
  const second = offers.filter({ hasText: "$65,000.00", hasNotText: "$60,750.00" });
  await expect(second.getByRole("link", { name: /\/offers\// })).toBeVisible();
  await portal.checkPage("offers");
  const link = await second.getByRole("link", { name: /\/offers\// }).getAttribute("href");
  const merchantPage = await context.newPage();
  await merchantPage.goto(link ?? "");
  await merchantPage.getByLabel("Your full name").fill("Marisol Ibarra");
  await merchantPage.getByRole("checkbox", { name: /accept this offer/ }).check();
  await merchantPage.getByRole("button", { name: "Accept offer" }).click();
  await expect(merchantPage.getByRole("heading", { name: "Offer accepted" })).toBeVisible();
  await merchantPage.close();
  await page.reload();
  await expect(second.getByText("Marisol Ibarra")).toBeVisible();
  await expect(figures(portal).getByText("$50,000.00")).toBeVisible();
});

test("stipulations are received, approved and waived", async ({ portal, api, staff }) => {
  const deal = await createDeal(api);
  await createStipulation(staff, deal, "A letter");
  await createStipulation(staff, deal, "A license");
  await portal.goto(`${deal.path}?tab=stipulations`);
  await portal.button("Mark received: A letter").click();
  await portal.button("Approve: A letter").click();
  await expect(portal.row("A letter").getByText("Approved")).toBeVisible();
  await portal.button("Waive: A license").click();
  await portal.field("Reason").fill("Known to us since 2019.");
  await portal.submit("Waive");
  await expect(portal.row("A license").getByText("Waived", { exact: true })).toBeVisible();
});

test("a contract is signed", async ({ page, portal, api, staff }) => {
  const deal = await createDeal(api);
  await staff.graph("mutation($input: NewMerchantContact!) { createMerchantContact(input: $input) { id } }", {
    input: {
      merchantId: deal.merchantId,
      firstName: "Marisol",
      lastName: "Ibarra",
      email: "owner@harborstreet.test",
      isPrimary: true,
    },
  });
  await portal.goto(`${deal.path}?tab=signatures`);
  await portal.button("New signature request").click();
  await expect(portal.dialog.getByRole("textbox", { name: "Signer" }).first()).toHaveValue("Marisol Ibarra");
  await portal.field("E-signature provider").fill("Example Sign");
  await portal.choose("Number of signers", /^2$/);
  await expect(portal.dialog.getByRole("textbox", { name: "Signer 2", exact: true })).toBeVisible();
  await expect(portal.field("E-signature provider"), "input is kept").toHaveValue("Example Sign");
  await portal.choose("Number of signers", /^1$/);
  await portal.submit("Save draft");
  await portal.button("Send: Contract").click();
  await portal.submit("Send");
  await portal.button("Mark viewed: Marisol Ibarra").click();
  await expect(page.getByText("Viewed", { exact: true })).toBeVisible();
  await portal.button("Mark signed: Marisol Ibarra").click();
  await portal.field("Link to signed document").fill("https://esign.example.com/documents/1");
  await portal.submit("Record signature");
  await expect(portal.badge("Completed")).toBeVisible();
  await portal.checkPage("signatures");
});

test("a disclosure is created, delivered and signed", async ({ page, portal, api }) => {
  const deal = await createDeal(api, { bankFeeBasis: "PERCENT_OF_FUNDED", bankFeeValue: "3" });
  await portal.goto(`${deal.path}?tab=disclosures`);
  await portal.button("Create disclosure").click();
  const disclosure = page.getByRole("region", { name: /^CA disclosure \d+$/ });
  await expect(disclosure.getByText("Estimated APR")).toBeVisible();
  await expect(disclosure.getByText("$16,500.00")).toBeVisible();
  await disclosure.getByRole("button", { name: "Mark delivered", exact: true }).click();
  await portal.submit("Mark delivered");
  await disclosure.getByRole("button", { name: "Mark signed" }).click();
  await portal.submit("Mark signed");
  await expect(disclosure.getByText("Signed", { exact: true }).first()).toBeVisible();
  await portal.checkPage("disclosure");
});

test("a call is logged", async ({ page, portal, api }) => {
  const deal = await createDeal(api);
  await portal.goto(`${deal.path}?tab=communications`);
  await portal.button("Log call").click();
  await portal.field("Notes").fill("They know about the returned payment.");
  await portal.field("Duration (minutes)").fill("3");
  await portal.submit("Log");
  const calls = page.getByRole("table", { name: "Calls and messages" });
  await expect(calls.getByText("They know about the returned payment.")).toBeVisible();
});

test("a merchant gets a contact, a bank account and a note", async ({ page, portal, api }) => {
  const deal = await createDeal(api);
  await portal.goto(deal.path);
  await page.getByRole("main").getByRole("link", { name: "Harbor Street Bakery LLC" }).click();
  await expect(portal.heading("Harbor Street Bakery LLC")).toBeVisible();
  await portal.button("Add contact").click();
  await portal.field("First name").fill("Marisol");
  await portal.field("Last name").fill("Ibarra");
  await portal.field("Email").fill("owner@harborstreet.test");
  await portal.dialog.getByRole("switch", { name: "Primary contact" }).check();
  await portal.submit("Add");
  await expect(page.getByRole("article", { name: "Marisol Ibarra" }).getByText("Primary contact")).toBeVisible();
  await portal.button("Add account").click();
  await portal.field("Routing number").fill("021000021");
  await portal.field("Account number").fill("000123456789");
  await portal.submit("Add");
  await portal.button("Mark verified: the account ending in 6789").click();
  await portal.submit("Mark verified");
  await expect(page.getByRole("table", { name: "Bank accounts" }).getByText("Verified", { exact: true })).toBeVisible();
  await page.getByLabel("New note").fill("The owner prefers to be called after closing time.");
  await portal.button("Add note").click();
  await expect(page.getByRole("article", { name: /^Note by/ }).getByText("after closing time")).toBeVisible();
  await portal.checkPage("merchant");
});

/** Chooses an action for the n-th payment. */
async function choosePaymentAction(portal: Portal, n: number, action: string) {
  await portal.page
    .getByRole("button", { name: /^Update \$/ })
    .nth(n)
    .click();
  await portal.page.getByRole("menuitem", { name: action, exact: true }).click();
  await expect(portal.dialog).toBeVisible();
}

test("payments are collected, and a returned one is made up", async ({ page, portal, api }) => {
  const deal = await createFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  await expect(page.getByText("126 total")).toBeVisible();
  const first = page.getByRole("table", { name: "payments" }).getByRole("row").nth(1);
  await choosePaymentAction(portal, 0, "Mark paid");
  await portal.submit("Mark paid");
  await expect(first.getByText("Paid", { exact: true })).toBeVisible();
  await expect(figures(portal).getByText("$64,484.12")).toBeVisible();
  await choosePaymentAction(portal, 1, "Mark paid");
  await portal.submit("Mark paid");
  await expect(figures(portal).getByText("$63,968.24")).toBeVisible();
  await choosePaymentAction(portal, 1, "Mark returned");
  await portal.choose("Return code", /^R01 /);
  await portal.submit("Mark returned");
  await expect(figures(portal).getByText("$64,484.12")).toBeVisible();
  await portal.checkPage("deal-payments");

  await portal.navigate("Payments");
  await portal.tab("Returned payments").click();
  await expect(portal.row("R01").getByText("Retry debit")).toBeVisible();
  await portal.checkPage("returned-payments");
  await portal
    .row("R01")
    .getByRole("button", { name: /^Update \$/ })
    .click();
  await page.getByRole("menuitem", { name: "Schedule make-up payment" }).click();
  await portal.submit("Schedule make-up payment");
  await expect(page.getByText("You're all caught up.")).toBeVisible();

  // The return reverses its posting: $515.88 came in twice and went out once.
  await portal.goto(`${deal.path}?tab=ledger`);
  const entries = page.getByRole("table", { name: "Entries" });
  await expect(entries.getByText("Funding").first()).toBeVisible();
  expect(await entries.getByText("$515.88").count()).toBeGreaterThanOrEqual(3);
});

test("a deal is paid off by one payment that includes a return fee", async ({ page, portal, api, staff }) => {
  const deal = await createFundedDeal(api);
  const { bounceCodes } = await staff.graph("{ bounceCodes { id code } }");
  const code = bounceCodes.find((c: { code: string }) => c.code === "R01");
  const { payments } = await api.get(`/payments?dealId=${deal.id}&status=PENDING&sort=scheduledDate&limit=2`);
  await api.patch(`/payments/${payments[0].id}`, { status: "PAID" });
  await api.patch(`/payments/${payments[1].id}`, { status: "PAID" });
  await api.patch(`/payments/${payments[1].id}`, { status: "BOUNCED", bounceCodeId: Number(code.id) });
  await portal.goto(deal.path);
  await expect(portal.region("Payoff").getByText("$64,519.12")).toBeVisible();
  await portal.button("Pay off").click();
  await expect(portal.dialog.getByText("The payment of $64,519.12")).toBeVisible();
  await portal.choose("Method", "Wire");
  await portal.field("Reference").fill("FED-20260105-1");
  await portal.checkPage("pay-off");
  await portal.submit("Record payoff");
  await expect(portal.badge("Closed")).toBeVisible();
  await expect(page.getByRole("region", { name: "Payoff" })).toBeHidden();
});

test("debits are put on hold and released", async ({ page, portal, api }) => {
  const deal = await createFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  await portal.button("Hold debits").click();
  await portal.field("Reason").fill("The owner disputes a payment.");
  await portal.press("Hold debits");
  const banner = page.getByRole("note").filter({ hasText: "ACH debits on hold" });
  await expect(banner.getByText("The owner disputes a payment.")).toBeVisible();
  await portal.checkPage("deal-on-hold");
  await banner.getByRole("button", { name: /^Release hold/ }).click();
  await portal.field("Note").fill("It was a mistake.");
  await portal.press("Release hold");
  await expect(banner).toBeHidden();
});
