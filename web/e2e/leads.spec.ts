import { readFileSync } from "node:fs";
import { expect, test } from "./portal";

const business = "Harbor <script>window.planted = true</script> Bakery";

test("a lead is found with the keyboard and edited, with errors at their fields", async ({ page, portal, api }) => {
  await api.post("/leads", { businessName: business, requestedAmount: "50000" });
  await api.post("/leads", { businessName: "Tamarack Auto Body" });
  await portal.goto("/leads");
  await expect(page.getByText("2 total")).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("Harbor");
  await expect(page).toHaveURL(/q=Harbor/);
  await expect(page.getByText("1 total")).toBeVisible();
  await page.getByRole("link", { name: business }).focus();
  await page.keyboard.press("Enter");
  await expect(portal.heading(business)).toBeVisible();
  expect(await page.evaluate(() => window.planted), "stored markup does not run").toBeUndefined();
  await portal.button("Edit").click();
  await portal.field("Requested amount").fill("12,5");
  await portal.press("Save");
  await expect(portal.dialog.getByText("Enter an amount")).toBeVisible();
  await portal.field("Requested amount").fill("1250.50");
  await portal.field("Phone").fill("call me");
  await portal.press("Save");
  // The form accepts this one; the server rejects it.
  await expect(portal.invalid("Phone")).toBeVisible();
  await portal.field("Phone").fill("(503) 555-0142");
  await portal.submit("Save");
  await expect(page.getByText("$1,250.50")).toBeVisible();
});

test("a lead is created", async ({ portal }) => {
  await portal.goto("/leads");
  await portal.button("New lead").click();
  await portal.field("Business name").fill("Juniper Street Books");
  await portal.press("Create lead");
  await expect(portal.heading("Juniper Street Books")).toBeVisible();
});

test("a list is exported as CSV with formulas escaped", async ({ page, portal, api }) => {
  await api.post("/leads", { businessName: `=HYPERLINK("https://evil.test")` });
  await api.post("/leads", { businessName: "Juniper Street Books" });
  await portal.goto("/leads");
  const download = page.waitForEvent("download");
  await portal.button("Export leads as CSV").click();
  const text = readFileSync(await (await download).path(), "utf8");
  expect(text).toContain("'=HYPERLINK(");
  expect(text).toContain("Juniper Street Books");
});

test("saving over another user's change is rejected, and shows that change", async ({ page, portal, api, staff }) => {
  const { lead } = await api.post("/leads", { businessName: "Sent by the website" });
  await portal.goto(`/leads/${lead.id}`);
  await portal.button("Edit").click();
  await portal.field("Phone").fill("2125550100");
  await staff.graph('mutation($id: ID!) { updateLead(id: $id, input: {phone: "2125550199"}) { id } }', { id: lead.id });
  await portal.press("Save");
  await expect(portal.dialog.getByText("was changed in the meantime")).toBeVisible();
  await expect(portal.field("Phone"), "input is kept").toHaveValue("2125550100");
  await portal.submit("Cancel");
  await expect(page.getByText("2125550199").or(page.getByText("(212) 555-0199"))).toBeVisible();
  await portal.button("Edit").click();
  await expect(portal.field("Phone"), "the other user's change is shown").toHaveValue("2125550199");
  await portal.field("Phone").fill("2125550100");
  await portal.submit("Save");
});
