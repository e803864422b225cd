import type { Api } from "./company";
import { expect, sendApplication, test } from "./portal";

const business = "Harbor Street Bakery LLC";

const fields = [
  {
    name: "business",
    label: "Business",
    type: "text",
    required: true,
    mapsTo: ["lead.businessName", "merchant.legalName"],
  },
  { name: "email", label: "Email", type: "email", required: true, mapsTo: ["lead.email"] },
  { name: "ein", label: "EIN", type: "ein", required: true, mapsTo: ["merchant.federalId"] },
  { name: "state", label: "State", type: "state", required: true, mapsTo: ["merchant.state"] },
  { name: "amount", label: "How much?", type: "money", required: false, mapsTo: ["lead.requestedAmount"] },
];

async function createForm(staff: Api): Promise<string> {
  const input = { name: "Apply online", slug: "apply", fields };
  const created = await staff.graph("mutation($input: NewForm!) { createForm(input: $input) { id } }", { input });
  return created.createForm.id;
}

test("an application added by staff shows errors at their fields", async ({ page, portal, staff }) => {
  await createForm(staff);
  await portal.goto("/applications");
  await expect(page.getByText("No applications yet.")).toBeVisible();
  await portal.button("Add application").click();
  await portal.dialog.getByRole("textbox", { name: "Business", exact: true }).fill(business);
  await portal.dialog.getByRole("textbox", { name: "Email" }).fill("office@harborstreet.test");
  await portal.field("EIN").fill("12");
  await portal.field("State").fill("CA");
  await portal.press("Add application");
  await expect(portal.invalid("EIN")).toBeVisible();
  await portal.submit("Cancel");
});

test("an application sent by an applicant is converted to a deal", async ({
  context,
  page,
  portal,
  staff,
  problems,
}) => {
  problems.allow("409"); // the form was submitted too quickly
  await createForm(staff);
  const applicantPage = await context.newPage();
  await applicantPage.goto("/apply/apply");
  await applicantPage.getByLabel("Business").fill(business);
  await applicantPage.getByLabel("Email").fill("office@harborstreet.test");
  await applicantPage.getByLabel("EIN").fill("98-7654321");
  await applicantPage.getByLabel("State").selectOption("CA");
  await applicantPage.getByLabel("How much?").fill("50000.00");
  await sendApplication(applicantPage);
  await applicantPage.close();
  await portal.goto("/applications");
  await page.getByRole("link", { name: business }).click();
  await expect(portal.heading(business)).toBeVisible();
  await expect(page.getByText("$50,000.00")).toBeVisible();
  await portal.button("Convert").click();
  await portal.dialog.getByRole("switch", { name: "Create a deal" }).check();
  await portal.submit("Convert application");
  await expect(portal.heading(/^D-/)).toBeVisible();
  await expect(portal.badge("New")).toBeVisible();
});
