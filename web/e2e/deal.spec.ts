import { aDeal, aFundedDeal, anOffer, aPrefundedDeal, move, statements } from "./given";
import { expect, type Portal, test } from "./portal";

/** wants asks for a move, which opens a dialog that says what blocks it. */
async function wants(portal: Portal, state: string) {
  await portal.button(/^Move D-/).click();
  await portal.page.getByRole("menuitem", { name: state, exact: true }).click();
  await expect(portal.dialog).toBeVisible();
}

const figures = (portal: Portal) => portal.page.getByLabel("Figures", { exact: true });
const blocks = (portal: Portal) => portal.dialog.getByRole("list", { name: "Funding blocks" });

test("the calculator says what terms come to, and they become the deal's", async ({ page, portal, api }) => {
  const deal = await aDeal(api, {
    fundedAmount: null,
    factorRate: null,
    numberOfPayments: null,
    collectionFrequency: null,
  });
  await portal.goto(deal.path);
  const calculator = portal.region("Calculator");
  await calculator.getByLabel("Amount to fund").fill("45000");
  await calculator.getByLabel("Factor").fill("3");
  await expect(calculator.getByLabel("Factor").and(page.locator("[aria-invalid=true]"))).toBeVisible();
  await calculator.getByLabel("Factor").fill("1.35");
  await calculator.getByLabel("Number of payments").fill("126");
  await portal.choose("Collected", "Daily", calculator);
  await expect(calculator.getByText("$60,750.00")).toBeVisible();
  await expect(calculator.getByText("$482.15").first()).toBeVisible();
  await portal.button("Use these terms").click();
  await expect(figures(portal).getByText("$60,750.00")).toBeVisible();
  await wants(portal, "Submit");
  await portal.submit("Submit");
  await expect(portal.badge("Submitted")).toBeVisible();
});

test.describe("under every funding block", () => {
  test.use({ kind: "strict" });

  test("what blocks an approval is told before it is asked for, and leads to where it is cleared", async ({
    page,
    portal,
    api,
  }) => {
    const deal = await aDeal(api);
    await move(api, deal, "SUBMITTED");
    await portal.goto(deal.path);
    await wants(portal, "Approve for funding");
    await expect(blocks(portal).getByText("No accepted approval")).toBeVisible();
    await expect(blocks(portal).getByText("Statement missing or stale")).toBeVisible();
    await portal.examine("blocked");
    await portal.press("Approve for funding");
    await expect(portal.dialog.getByRole("alert").getByText("No accepted approval:")).toBeVisible();
    await blocks(portal).getByRole("link", { name: "To the offers" }).click();
    await expect(portal.dialog).toBeHidden();
    await expect(page.getByRole("tab", { name: "Offers", selected: true })).toBeVisible();
  });

  test("a decision is run, and somebody answers for old statements", async ({ page, portal, api, staff }) => {
    const deal = await aDeal(api);
    await move(api, deal, "SUBMITTED");
    const offer = await anOffer(staff, deal, { fundedAmount: "50000.00", factorRate: "1.30" });
    await staff.graph("mutation($id: ID!) { sendOffer(id: $id) { id } }", { id: offer });
    await staff.graph("mutation($id: ID!) { acceptOffer(id: $id) { id } }", { id: offer });
    await statements(api, deal, "2024-12-31");
    await portal.goto(`${deal.path}?tab=underwriting`);
    await expect(page.getByText("Version 1 by statement-reader")).toBeVisible();
    await portal.button("Run the decision").click();
    await expect(page.getByRole("heading", { name: /^Score \d+, category A/ })).toBeVisible();
    await portal.examine("decision");
    await wants(portal, "Approve for funding");
    await portal.press("Override: Statement missing or stale");
    await portal.field("Why it need not hold the deal up").fill("Newer statements were seen at the branch.");
    await portal.press("Override");
    await expect(portal.dialog.getByText("Overridden")).toBeVisible();
    await portal.submit("Approve for funding");
    await expect(portal.badge("Prefunded")).toBeVisible();
  });

  test("what blocks the funding is cleared where it leads, and the deal is funded", async ({
    page,
    portal,
    api,
    staff,
  }) => {
    const deal = await aPrefundedDeal(api, staff);
    await portal.goto(deal.path);
    await wants(portal, "Fund");
    for (const name of ["Stips outstanding", "Bank unverified", "Contract unsigned", "Disclosure undelivered"]) {
      await expect(blocks(portal).getByText(name)).toBeVisible();
    }
    await blocks(portal).getByRole("link", { name: "To the stipulations" }).click();
    await expect(page.getByRole("tab", { name: "Stipulations", selected: true })).toBeVisible();

    const table = page.getByRole("table", { name: "Stipulations" });
    await expect(table).toBeVisible();
    const all = table.getByRole("button", { name: /^It came in: / });
    await expect(all.first()).toBeVisible();
    for (let left = await all.count(); left > 0; left--) {
      await all.first().click();
      await expect(all).toHaveCount(left - 1);
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
    await expect(page.getByText("Everything is here.")).toBeVisible();

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
    const made = await staff.graph("mutation($id: ID!) { it: makeDisclosure(dealId: $id) { id } }", { id: deal.id });
    await staff.graph("mutation($id: ID!) { deliverDisclosure(id: $id) { id } }", { id: made.it.id });
    await staff.graph("mutation($id: ID!) { signDisclosure(id: $id) { id } }", { id: made.it.id });
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
    await wants(portal, "Fund");
    await expect(portal.dialog.getByText("Nothing stands in the way.")).toBeVisible();
    await portal.submit("Fund");
    await expect(portal.badge("Funded")).toBeVisible();
    await expect(figures(portal).getByText("$65,000.00").first()).toBeVisible();
  });
});

test("an offer is drafted, sent and countered, and the merchant accepts what came of it", async ({
  context,
  page,
  portal,
  api,
}) => {
  const deal = await aDeal(api, { fundedAmount: "45000.00", factorRate: "1.35" });
  await move(api, deal, "SUBMITTED");
  await portal.goto(`${deal.path}?tab=submissions`);
  await page.getByRole("button", { name: /^Draft an offer/ }).click();
  await expect(portal.field("Funded amount"), "a draft begins with the deal's terms").toHaveValue("45000.00");
  await portal.field("Bank fee").fill("3");
  await portal.submit("Keep draft");
  const offers = page.getByRole("article", { name: /^Offer \d/ });
  const first = offers.filter({ hasText: "$60,750.00" });
  await first.getByRole("button", { name: /^Send offer/ }).click();
  await portal.submit("Send");
  await expect(first.getByRole("link", { name: /\/offers\// })).toBeVisible();
  await first.getByRole("button", { name: /^Counter to offer/ }).click();
  await portal.field("Funded amount").fill("50000.00");
  await portal.field("Factor").fill("1.30");
  await portal.field("In the merchant's words").fill("The second oven is dearer than we thought.");
  await portal.submit("Note what is asked for");
  await first.getByRole("button", { name: /^Agree to the counter/ }).click();
  const second = offers.filter({ hasText: "$65,000.00", hasNotText: "$60,750.00" });
  await expect(second.getByRole("link", { name: /\/offers\// })).toBeVisible();
  await portal.examine("offers");
  const link = await second.getByRole("link", { name: /\/offers\// }).getAttribute("href");
  const outside = await context.newPage();
  await outside.goto(link ?? "");
  await outside.getByLabel("Your full name").fill("Marisol Ibarra");
  await outside.getByRole("checkbox", { name: /accept this offer/ }).check();
  await outside.getByRole("button", { name: "Accept the offer" }).click();
  await expect(outside.getByRole("heading", { name: "The offer is accepted" })).toBeVisible();
  await outside.close();
  await page.reload();
  await expect(second.getByText("Marisol Ibarra")).toBeVisible();
  await expect(figures(portal).getByText("$50,000.00")).toBeVisible();
});

test("stipulations come in, are approved and waived", async ({ portal, api, staff }) => {
  const deal = await aDeal(api);
  for (const title of ["A letter", "A license"]) {
    const input = { dealId: deal.id, title };
    await staff.graph("mutation($input: NewStipulation!) { requestStipulation(input: $input) { id } }", { input });
  }
  await portal.goto(`${deal.path}?tab=stipulations`);
  await portal.button("It came in: A letter").click();
  await portal.button("Approve: A letter").click();
  await expect(portal.row("A letter").getByText("Approved")).toBeVisible();
  await portal.button("Waive: A license").click();
  await portal.field("Reason").fill("Known to us since 2019.");
  await portal.submit("Waive");
  await expect(portal.row("A license").getByText("Waived", { exact: true })).toBeVisible();
});

test("a contract is signed", async ({ page, portal, api, staff }) => {
  const deal = await aDeal(api);
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
  await portal.button("New request to sign").click();
  await expect(portal.dialog.getByRole("textbox", { name: "Signer" }).first()).toHaveValue("Marisol Ibarra");
  await portal.field("Signed with").fill("the signing desk");
  await portal.choose("How many sign", /^2$/);
  await expect(portal.dialog.getByRole("textbox", { name: /^Signer 2/ })).toBeVisible();
  await expect(portal.field("Signed with"), "what was typed stays").toHaveValue("the signing desk");
  await portal.choose("How many sign", /^1$/);
  await portal.submit("Draft the request");
  await portal.button("Send: Contract").click();
  await portal.submit("Send");
  await portal.button("Has seen it: Marisol Ibarra").click();
  await expect(page.getByText("Viewed", { exact: true })).toBeVisible();
  await portal.button("Signed: Marisol Ibarra").click();
  await portal.field("Link to the signed document").fill("https://esign.example.com/documents/1");
  await portal.submit("Note the signature");
  await expect(page.getByText("Completed", { exact: true })).toBeVisible();
  await portal.examine("signatures");
});

test("a disclosure is made, delivered and signed", async ({ page, portal, api }) => {
  const deal = await aDeal(api, { bankFeeBasis: "PERCENT_OF_FUNDED", bankFeeValue: "3" });
  await portal.goto(`${deal.path}?tab=disclosures`);
  await portal.button("Make the disclosure").click();
  const made = page.getByRole("region", { name: /^Disclosure \d+, law of CA$/ });
  await expect(made.getByText("Estimated APR")).toBeVisible();
  await expect(made.getByText("$16,500.00")).toBeVisible();
  await made.getByRole("button", { name: "Delivered", exact: true }).click();
  await portal.submit("Delivered");
  await made.getByRole("button", { name: "Signed on paper" }).click();
  await portal.submit("Signed on paper");
  await expect(made.getByText("Signed", { exact: true }).first()).toBeVisible();
  await portal.examine("disclosed");
});

test("a call is logged", async ({ page, portal, api }) => {
  const deal = await aDeal(api);
  await portal.goto(`${deal.path}?tab=communications`);
  await portal.button("Log a call").click();
  await portal.field("What was said").fill("They know about the bounce.");
  await portal.field("Minutes that the call took").fill("3");
  await portal.submit("Log it");
  const calls = page.getByRole("table", { name: "Calls and messages" });
  await expect(calls.getByText("They know about the bounce.")).toBeVisible();
});

test("a merchant's people, bank accounts and notes are kept", async ({ page, portal, api }) => {
  const deal = await aDeal(api);
  await portal.goto(deal.path);
  await page.getByRole("main").getByRole("link", { name: "Harbor Street Bakery LLC" }).click();
  await expect(portal.heading("Harbor Street Bakery LLC")).toBeVisible();
  await portal.button("Add a person").click();
  await portal.field("First name").fill("Marisol");
  await portal.field("Last name").fill("Ibarra");
  await portal.field("E-mail").fill("owner@harborstreet.test");
  await portal.dialog.getByRole("switch", { name: "Main contact" }).check();
  await portal.submit("Add");
  await expect(page.getByRole("article", { name: "Marisol Ibarra" }).getByText("Main contact")).toBeVisible();
  await portal.button("Add an account").click();
  await portal.field("Routing number").fill("021000021");
  await portal.field("Account number").fill("000123456789");
  await portal.submit("Add");
  await portal.button("Verified: the account ending in 6789").click();
  await portal.submit("Verified");
  await expect(page.getByRole("table", { name: "Bank accounts" }).getByText("Verified", { exact: true })).toBeVisible();
  await page.getByLabel("New note").fill("The owner prefers to be called after closing time.");
  await portal.button("Write down").click();
  await expect(page.getByRole("article", { name: /^Note by/ }).getByText("after closing time")).toBeVisible();
  await portal.examine("merchant");
});

/** becomes says what became of the n-th payment of the deal's list. */
async function becomes(portal: Portal, n: number, what: string) {
  await portal.page
    .getByRole("button", { name: /^What became of/ })
    .nth(n)
    .click();
  await portal.page.getByRole("menuitem", { name: what, exact: true }).click();
  await expect(portal.dialog).toBeVisible();
}

test("payments are collected, one comes back, and is made up for", async ({ page, portal, api }) => {
  const deal = await aFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  await expect(page.getByText("126 in all")).toBeVisible();
  const first = page.getByRole("table", { name: "payments" }).getByRole("row").nth(1);
  await becomes(portal, 0, "Paid");
  await portal.submit("Paid");
  await expect(first.getByText("Paid", { exact: true })).toBeVisible();
  await expect(figures(portal).getByText("$64,484.12")).toBeVisible();
  await becomes(portal, 1, "Paid");
  await portal.submit("Paid");
  await expect(figures(portal).getByText("$63,968.24")).toBeVisible();
  await becomes(portal, 1, "Bounced");
  await portal.choose("Return code", /^R01 /);
  await portal.submit("Bounced");
  await expect(figures(portal).getByText("$64,484.12")).toBeVisible();
  await portal.examine("deal-payments");

  await portal.place("Payments");
  await portal.tab("Bounce queue").click();
  await expect(portal.row("R01").getByText("Collect it once more")).toBeVisible();
  await portal.examine("bounce-queue");
  await portal
    .row("R01")
    .getByRole("button", { name: /^What became of/ })
    .click();
  await page.getByRole("menuitem", { name: "Schedule a make-up" }).click();
  await portal.submit("Schedule a make-up");
  await expect(page.getByText("Nothing has bounced that is not made up for.")).toBeVisible();

  // The bounce reverses what was booked: $515.88 came in twice, and went once.
  await portal.goto(`${deal.path}?tab=ledger`);
  const entries = page.getByRole("table", { name: "Entries" });
  await expect(entries.getByText("Funding").first()).toBeVisible();
  expect(await entries.getByText("$515.88").count()).toBeGreaterThanOrEqual(3);
});

test("a deal is paid off by one payment, the fee for a return with it", async ({ page, portal, api, staff }) => {
  const deal = await aFundedDeal(api);
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
  await portal.examine("pay-off");
  await portal.submit("Record the payoff");
  await expect(portal.badge("Closed")).toBeVisible();
  await expect(page.getByRole("region", { name: "Payoff" })).toBeHidden();
});

test("debits are held, and go on", async ({ page, portal, api }) => {
  const deal = await aFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  await portal.button("Hold debits").click();
  await portal.field("Reason").fill("The owner disputes a payment.");
  await portal.press("Hold debits");
  const banner = page.getByRole("note").filter({ hasText: "ACH debits on hold" });
  await expect(banner.getByText("The owner disputes a payment.")).toBeVisible();
  await portal.examine("deal-on-hold");
  await banner.getByRole("button", { name: /^Release hold/ }).click();
  await portal.field("Note").fill("It was a mistake.");
  await portal.press("Release hold");
  await expect(banner).toBeHidden();
});
