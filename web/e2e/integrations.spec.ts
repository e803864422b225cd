import { expect, test } from "./portal";

test("an endpoint is created and receives events, one of them resent", async ({ page, portal, company, api }) => {
  await portal.goto("/settings/webhooks");
  await portal.button("New endpoint").click();
  await portal.field("URL").fill(company.receiver);
  await portal.press("Create endpoint");
  const secret = page.getByRole("dialog", { name: "Signing secret" });
  await secret.getByLabel("I have saved it").check();
  await portal.press("Done");
  await expect(portal.heading(company.receiver)).toBeVisible();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await api.post("/merchants", { legalName: "Juniper Street Books LLC" });
  const deliveries = portal.row("merchant.created").filter({ hasText: "Delivered" });
  await expect(deliveries).toHaveCount(1);
  await deliveries.getByRole("button", { name: /^Delivery / }).click();
  await expect(portal.dialog.getByText("Juniper Street Books LLC")).toBeVisible();
  await portal.checkPage("delivery");
  const first = (await portal.dialog.getByRole("heading", { name: /^Delivery \d/ }).textContent()) ?? "";
  await portal.press("Resend");
  await expect(page.getByRole("dialog", { name: first, exact: true })).toBeHidden();
  await expect(page.getByRole("dialog", { name: /^Delivery \d/ })).toBeVisible();
  await portal.press("Close");
  await expect(deliveries).toHaveCount(2);
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Webhooks" }).click();
  await expect(portal.heading("Webhooks")).toBeVisible();
});

test("a key is shown once and works for its scopes", async ({ page, portal }) => {
  await portal.goto("/settings/keys");
  await portal.button("New key").click();
  await portal.field("Name").fill("Website");
  await portal.choose("Scopes", "leads:write");
  await page.keyboard.press("Escape");
  await portal.press("Create key");
  const dialog = page.getByRole("dialog").filter({ hasText: "I have saved it" });
  const token = await dialog.locator("pre").textContent();
  const status = await page.evaluate(async (key) => {
    const response = await fetch("/api/v1/leads", {
      method: "POST",
      credentials: "omit",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ businessName: "Sent by the website" }),
    });
    return response.status;
  }, token);
  expect(status).toBe(201);
  await dialog.getByLabel("I have saved it").check();
  await portal.press("Done");
  await portal.navigate("Leads");
  await expect(page.getByRole("link", { name: "Sent by the website" })).toBeVisible();
});
