import type { Page } from "@playwright/test";
import { expect, test } from "./portal";

/** Presses Tab until the named element has focus. Checks at each step that the focus is visible. */
async function tabTo(page: Page, name: string, maxPresses = 40) {
  for (let i = 0; i < maxPresses; i++) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      const style = element && getComputedStyle(element);
      const visible =
        style && (style.outlineStyle !== "none" || style.boxShadow !== "none" || style.borderColor !== "");
      return { name: element?.getAttribute("aria-label") || element?.textContent || "", visible };
    });
    expect(focus.visible, `${focus.name} has visible focus`).toBe(true);
    if (focus.name.trim() === name) {
      return;
    }
  }
  throw new Error(`Tab does not lead to ${name}`);
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

test("a dialog opens with the keyboard, traps focus and returns it", async ({ page, portal }) => {
  await portal.goto("/leads");
  await expect(portal.heading("Leads")).toBeVisible();
  await portal.loaded();
  await tabTo(page, "Skip to content", 1);
  await page.keyboard.press("Enter");
  await tabTo(page, "New lead");
  await page.keyboard.press("Enter");
  await expect(portal.field("Business name")).toBeVisible();
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press(i % 3 === 2 ? "Shift+Tab" : "Tab");
    const isInside = await page.evaluate(() => !!document.activeElement?.closest("[role=dialog]"));
    expect(isInside, "focus stays in the dialog").toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(portal.dialog).toBeHidden();
  await expect(portal.button("New lead"), "focus returns to the trigger").toBeFocused();
});

test("a menu works with the arrow keys", async ({ page, portal, company }) => {
  const item = page.getByRole("menuitem", { name: "Your account" });
  await portal.goto("/");
  await expect(portal.heading("Dashboard")).toBeVisible();
  await tabTo(page, company.admin);
  await page.keyboard.press("Enter");
  await expect(item).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(item).toBeHidden();
  await expect.poll(() => focused(page), "focus returns to the trigger").toBe(company.admin);
  await page.keyboard.press("Enter");
  await expect(item).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe("Your account");
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(portal.heading("Your account")).toBeVisible();
});

test("shortcuts navigate, and are listed", async ({ page, portal }) => {
  await portal.goto("/leads");
  await expect(portal.heading("Leads")).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(portal.heading("Merchants")).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(portal.dialog).toBeHidden();
});
