import { examines, expect, test } from "./portal";

// Every page, with data that is long, right to left, or looks like markup.

test.use({ kind: "everything" });

/** The data of the kind "everything". */
type Ids = Record<
  "lead" | "merchant" | "deal" | "payout" | "endpoint" | "form" | "line" | "syndicator" | "admin",
  number
> &
  Record<"number" | "lineNumber", string>;

/** The name, path and heading of a page. */
type Page = [name: string, path: string, heading: string];

const tabsOfADeal = [
  "payments",
  "ledger",
  "submissions",
  "stipulations",
  "documents",
  "underwriting",
  "disclosures",
  "signatures",
  "communications",
  "history",
  "participations",
  "filings",
];

const groups: Record<string, (of: Ids) => Page[]> = {
  "of work": (of) => [
    ["dashboard", "/", "Dashboard"],
    ["applications", "/applications", "Applications"],
    ["leads", "/leads", "Leads"],
    ["lead", `/leads/${of.lead}`, "Harbor"],
    ["merchants", "/merchants", "Merchants"],
    ["merchant", `/merchants/${of.merchant}`, "Harbor"],
    ["deals", "/deals", "Deals"],
    ["board", "/deals?view=board", "Deals"],
    ["deal", `/deals/${of.deal}`, of.number],
    ["nowhere", "/nowhere", "Page not found"],
  ],
  "of money": (of) => [
    ["payments", "/payments", "Payments"],
    ["bounced", "/payments?tab=bounced", "Payments"],
    ["all-payments", "/payments?tab=all", "Payments"],
    ["payouts", "/payouts", "Payouts"],
    ["payout", `/payouts/${of.payout}`, "Payout"],
    ["renewals", "/renewals", "Renewals"],
    ["syndicators", "/syndicators", "Syndicators"],
    ["syndicator", `/syndicators/${of.syndicator}`, "North Pier"],
    ["deal-line", `/deals/${of.line}?tab=line`, of.lineNumber],
  ],
  "of a deal": (of) => tabsOfADeal.map((tab): Page => [`deal-${tab}`, `/deals/${of.deal}?tab=${tab}`, of.number]),
  "of staff and rules": (of) => [
    ["notifications", "/notifications", "Notifications"],
    ["account", "/account", "Your account"],
    ["company", "/settings/company", "Company"],
    ["funding-policy", "/settings/company?tab=funding", "Company"],
    ["underwriting-policy", "/settings/company?tab=underwriting", "Company"],
    ["users", "/settings/users", "Users"],
    ["roles", "/settings/users?tab=roles", "Users"],
    ["user", `/settings/users/${of.admin}`, "Ada"],
    ["audit", "/settings/audit", "Audit log"],
  ],
  "of settings": (of) => [
    ["webhooks", "/settings/webhooks", "Webhooks"],
    ["deliveries", "/settings/webhooks?tab=deliveries", "Webhooks"],
    ["catalogue", "/settings/webhooks?tab=catalogue", "Webhooks"],
    ["endpoint", `/settings/webhooks/${of.endpoint}`, "http://127.0.0.1:9/hooks"],
    ["keys", "/settings/keys", "API keys"],
    ["forms", "/settings/forms", "Application forms"],
    ["form", `/settings/forms/${of.form}`, "Application"],
    ["lists", "/settings/lists", "Lists"],
    ["declines", "/settings/lists?tab=declines", "Lists"],
    ["stipulation-templates", "/settings/lists?tab=stipulations", "Lists"],
    ["call-ends", "/settings/lists?tab=calls", "Lists"],
    ["return-codes", "/settings/lists?tab=returns", "Lists"],
  ],
};

for (const [name, pages] of Object.entries(groups)) {
  test(`the pages ${name} are accessible and fit a phone`, async ({ page, portal, company }) => {
    test.skip(!examines && name !== "of work", "pages are examined on the other database");
    for (const [what, path, heading] of pages({ ...company.data, admin: company.members.admin?.id })) {
      await portal.goto(path);
      await expect(portal.heading(heading).first()).toBeVisible();
      await portal.loaded();
      await portal.examine(what);
      expect(await page.evaluate(() => window.planted), `stored markup does not run at ${path}`).toBeUndefined();
    }
  });
}
