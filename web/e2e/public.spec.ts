import { readFileSync } from "node:fs";
import type { Api } from "./company";
import { expect, sendApplication, test } from "./portal";
import { createDeal, createOffer, moveDeal } from "./testData";

// The public pages, in browsers without JavaScript.

const fields = [
  {
    name: "business",
    label: "Legal name of the business",
    type: "text",
    required: true,
    help: "As registered with the state.",
    mapsTo: ["lead.businessName"],
  },
  { name: "email", label: "Email", type: "email", required: true },
  { name: "phone", label: "Telephone", type: "tel", required: false },
  { name: "amount", label: "How much do you need?", type: "money", required: true },
  { name: "state", label: "State", type: "state", required: true },
  { name: "ein", label: "EIN", type: "ein", required: false },
  { name: "since", label: "In business since", type: "date", required: false },
  { name: "use", label: "What is it for?", type: "choice", required: false, options: ["Stock", "Equipment"] },
  { name: "about", label: "Anything else?", type: "notes", required: false },
  { name: "consent", label: "I agree to be called or texted about this application", type: "checkbox", required: true },
];

/** Creates the form. Returns the path of its page. */
async function createForm(staff: Api): Promise<string> {
  const input = { name: "Application for funding", slug: "apply", fields };
  await staff.graph("mutation($input: NewForm!) { createForm(input: $input) { id } }", { input });
  return "/apply/apply";
}

/** Sends an offer of 50,000. Returns the path of its page. */
async function createOfferPage(api: Api, staff: Api): Promise<string> {
  const deal = await createDeal(api, {
    fundedAmount: "40000.00",
    bankFeeBasis: "FLAT",
    bankFeeValue: "500.00",
    wireFee: "50.00",
  });
  await moveDeal(api, deal, "SUBMITTED");
  const id = await createOffer(staff, deal, { fundedAmount: "50000.00", factorRate: "1.30" });
  const response = await staff.graph("mutation($id: ID!) { it: sendOffer(id: $id) { shareToken } }", { id });
  return `/offers/${response.it.shareToken}`;
}

test.describe("without scripts", () => {
  test.use({ as: "", javaScriptEnabled: false, viewport: { width: 390, height: 800 } });

  test("an applicant applies, with errors above the form and at each field", async ({
    page,
    portal,
    staff,
    problems,
  }) => {
    problems.allow("Failed to load resource"); // a rejected form has an error status
    await portal.goto(await createForm(staff));
    await expect(portal.heading("Application")).toBeVisible();
    await portal.button("Submit application").click();
    await expect(page.getByRole("heading", { name: "Please correct" })).toBeVisible();
    await page.getByRole("link", { name: "Email" }).click();
    await expect(page).toHaveURL(/#q-email$/);
    const name = 'Harbor <script>window.planted = true</script> "Bakery"';
    await page.getByLabel("Legal name").fill(name);
    await page.getByLabel("Email").fill("no address");
    await page.getByLabel("How much").fill("$25,000");
    await page.getByLabel("State").selectOption({ label: "New York" });
    await page.getByLabel("I agree").check();
    await portal.button("Submit application").click();
    await expect(page.getByText("Must be an email address.").first()).toBeVisible();
    await expect(page.getByLabel("Legal name")).toHaveValue(name);
    await page.getByLabel("Email").fill("ada@harbor.example");
    await sendApplication(page, () => page.getByLabel("Email").press("Enter"));
  });

  test("a merchant accepts an offer", async ({ page, portal, api, staff, problems }) => {
    problems.allow("Failed to load resource");
    await portal.goto(await createOfferPage(api, staff));
    await expect(portal.heading("Your offer of $50,000")).toBeVisible();
    await expect(page.getByText("Estimated annual percentage rate")).toBeVisible();
    await portal.button("Accept offer").click();
    await expect(page.getByRole("heading", { name: "Please correct 2 fields" })).toBeVisible();
    await page.getByLabel("Your full name").fill("Ada Marsh");
    await page.getByLabel("I have read the terms").check();
    await portal.button("Accept offer").click();
    await expect(portal.heading("Offer accepted")).toBeVisible();
    await expect(page.getByText("Ada Marsh accepted this offer")).toBeVisible();
  });

  test("a merchant counters and declines", async ({ page, portal, api, staff, problems }) => {
    problems.allow("Failed to load resource");
    await portal.goto(await createOfferPage(api, staff));
    await page.getByText("Request different terms").click();
    await page.getByLabel("Amount").fill("60,000");
    await page.getByLabel("Comments").fill("Two ovens instead of one.");
    await portal.button("Request these terms").click();
    await expect(page.getByText("You requested different terms.")).toBeVisible();
    await page.getByText("Decline offer").first().click();
    await page.getByLabel("Reason (optional)").fill("Too expensive.");
    await portal.button("Decline offer").click();
    await expect(portal.heading("Offer declined")).toBeVisible();
  });
});

test.describe("the public pages", () => {
  test.use({ as: "" });

  test("are accessible and fit a phone", async ({ portal, api, staff }) => {
    await portal.goto(await createForm(staff));
    await expect(portal.heading("Application")).toBeVisible();
    await portal.checkPage("apply");
    const offer = await createOfferPage(api, staff);
    await portal.goto(offer);
    await expect(portal.heading("Your offer of $50,000")).toBeVisible();
    await portal.checkPage("offer");
    await portal.page.getByLabel("Your full name").fill("Ada Marsh");
    await portal.page.getByLabel("I have read the terms").check();
    await portal.button("Accept offer").click();
    await expect(portal.heading("Offer accepted")).toBeVisible();
    await portal.checkPage("offer-accepted");
  });
});

test("a deal's files download unchanged, and disguised ones are rejected", async ({ page, portal, api, problems }) => {
  problems.allow("415");
  const deal = await createDeal(api);
  await portal.goto(`${deal.path}?tab=documents`);
  await expect(page.getByText("No documents yet.")).toBeVisible();
  const body = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n");
  const name = "M\u00e4rz <b>final<b>.pdf";
  const fileInput = page.locator("input[type=file]");
  await fileInput.setInputFiles({ name, mimeType: "application/pdf", buffer: body });
  await expect(page.getByRole("link", { name })).toBeVisible();
  await portal.checkPage("deal-documents");
  const disguised = Buffer.from("<html><script>window.planted = true</script>");
  await fileInput.setInputFiles({ name: "page.pdf", mimeType: "application/pdf", buffer: disguised });
  await expect(page.getByText("does not match its name")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name }).click();
  expect(readFileSync(await (await download).path()).equals(body), "file content").toBe(true);
  expect(await page.evaluate(() => window.planted), "file content does not run").toBeUndefined();
});
