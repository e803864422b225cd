import { expect, test } from "./portal";
import { createDeal } from "./testData";

test.use({ kind: "notified" });

test("opening a notification leads to its record and marks it as read", async ({ page, portal, company }) => {
  await portal.goto("/");
  const bell = page.getByRole("button", { name: "Notifications, 1 unread" });
  await bell.click();
  await portal.checkPage("bell");
  await page.keyboard.press("Escape");
  await bell.click();
  await page.getByRole("link", { name: "An endpoint is paused" }).click();
  await expect(page).toHaveURL(`${company.origin}/settings/webhooks/${company.data.endpoint}`);
  await portal.button("Notifications").click();
  await page.getByRole("link", { name: "All notifications" }).click();
  await expect(portal.heading("Notifications")).toBeVisible();
  await expect(page.getByRole("cell", { name: "An endpoint is paused" })).toBeVisible();
});

test("deliveries appear live, and missed ones after reconnecting", async ({
  page,
  context,
  portal,
  company,
  api,
  staff,
  problems,
}) => {
  problems.allow("ERR_INTERNET_DISCONNECTED");
  const live = page.getByText("Live", { exact: true });
  await portal.goto(`/settings/webhooks/${company.data.endpoint}`);
  await expect(live).toBeVisible();
  await api.post("/leads", { businessName: "Shown live" });
  await expect(page.getByRole("cell", { name: "lead.created" })).toBeVisible();
  await context.setOffline(true);
  // Changing the role closes open streams; going offline alone does not.
  const { roles } = await staff.graph("{ roles { id code } }");
  const { id } = roles.find((role: { code: string }) => role.code === "admin");
  await staff.graph('mutation($id: ID!) { updateRole(id: $id, input: {permissions: ["*", "deals:read"]}) { id } }', {
    id,
  });
  await expect(page.getByText("Reconnecting")).toBeVisible();
  await api.post("/merchants", { legalName: "Missed while offline" });
  await context.setOffline(false);
  await expect(live).toBeVisible();
  await expect(page.getByRole("cell", { name: "merchant.created" })).toBeVisible();
});

test("a deal's history updates live", async ({ page, portal, api }) => {
  const deal = await createDeal(api);
  await portal.goto(`${deal.path}?tab=history`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await portal.loaded();
  await api.post("/payments", { dealId: deal.id, type: "ADVANCE_PAYBACK", amount: "10.00" });
  await expect(page.getByRole("button", { name: /Payment create/ })).toBeVisible();
});
