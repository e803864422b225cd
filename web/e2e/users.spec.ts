import { expect, test } from "./portal";
import { createDeal } from "./testData";

test("a user is invited", async ({ page, portal, company }) => {
  await portal.goto("/settings/users");
  await portal.button("Add user").click();
  await portal.field("Email").fill("new@portal.test");
  await portal.choose("Role", "Underwriter");
  await portal.press("Add user");
  await expect(portal.dialog.getByText(`${company.origin}/reset?token=`)).toBeVisible();
  await portal.field("I have saved it").check();
  await portal.press("Done");
  await expect(portal.heading("new@portal.test")).toBeVisible();
  await expect(page.getByText("Invited")).toBeVisible();
});

test("a role is created, and write implies read", async ({ page, portal }) => {
  await portal.goto("/settings/users?tab=roles");
  await portal.button("New role").click();
  await portal.dialog.getByRole("textbox", { name: "Name" }).fill("Front desk");
  await portal.field("Write leads").check();
  await expect(portal.field("Read leads")).toBeChecked();
  await portal.checkPage("role");
  await portal.press("Create role");
  await expect(page.getByRole("cell", { name: "Front desk", exact: true })).toBeVisible();
});

test.describe("a read-only user", () => {
  test.use({ roles: ["read-only"], as: "read-only" });

  const writeLabels =
    /^(new|edit|delete|convert|move|record|turn|send|make|add|draft|request|approve|submit|log|run|look|start|pay|dismiss)\b/i;

  test("sees no buttons that change data", async ({ page, portal, api }) => {
    const { lead } = await api.post("/leads", { businessName: "Tamarack Auto Body" });
    const deal = await createDeal(api);
    await portal.goto("/");
    await expect(portal.heading("Dashboard")).toBeVisible();
    const nav = page.getByRole("navigation", { name: "Main" });
    for (const name of ["Users", "API keys", "Company", "Lists"]) {
      await expect(nav.getByRole("link", { name, exact: true })).toHaveCount(0);
    }
    for (const path of [
      "/leads",
      `/leads/${lead.id}`,
      "/merchants",
      `/merchants/${deal.merchantId}`,
      "/deals",
      deal.path,
      "/payments",
      "/payouts",
      "/renewals",
    ]) {
      await portal.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await portal.loaded();
      const buttons = await page.getByRole("main").getByRole("button", { name: writeLabels }).allTextContents();
      expect(buttons, `buttons on ${path}`).toEqual([]);
    }
  });

  test("is rejected by the API and by pages without access", async ({ page, portal, problems }) => {
    problems.allow("403");
    await portal.goto("/");
    const { errors } = await page.evaluate(async () => {
      const query = 'mutation { createLead(input: {businessName: "Not allowed"}) { id } }';
      const headers = { "Content-Type": "application/json" };
      const response = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify({ query }) });
      return response.json();
    });
    expect(errors[0].extensions.code).toBe("forbidden");
    expect(errors[0].message).toMatch(/\w+ \w+/);
    for (const [path, title] of [
      ["keys", "API keys"],
      ["users", "Users"],
      ["users/1", "Users"],
    ] as const) {
      await portal.goto(`/settings/${path}`);
      await expect(portal.heading(`${title}: no access`)).toBeVisible();
      await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
    }
  });
});
