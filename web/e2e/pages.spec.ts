import { expect, runPageChecks, test } from "./portal";

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

const dealTabs = [
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

const groups: Record<string, (ids: Ids) => Page[]> = {
  work: (ids) => [
    ["dashboard", "/", "Dashboard"],
    ["applications", "/applications", "Applications"],
    ["leads", "/leads", "Leads"],
    ["lead", `/leads/${ids.lead}`, "Harbor"],
    ["merchants", "/merchants", "Merchants"],
    ["merchant", `/merchants/${ids.merchant}`, "Harbor"],
    ["deals", "/deals", "Deals"],
    ["board", "/deals?view=board", "Deals"],
    ["deal", `/deals/${ids.deal}`, ids.number],
    ["not-found", "/nowhere", "Page not found"],
  ],
  money: (ids) => [
    ["payments", "/payments", "Payments"],
    ["returned-payments", "/payments?tab=bounced", "Payments"],
    ["all-payments", "/payments?tab=all", "Payments"],
    ["payouts", "/payouts", "Payouts"],
    ["payout", `/payouts/${ids.payout}`, "Payout"],
    ["renewals", "/renewals", "Renewals"],
    ["syndicators", "/syndicators", "Syndicators"],
    ["syndicator", `/syndicators/${ids.syndicator}`, "North Pier"],
    ["deal-line", `/deals/${ids.line}?tab=line`, ids.lineNumber],
  ],
  deal: (ids) => dealTabs.map((tab): Page => [`deal-${tab}`, `/deals/${ids.deal}?tab=${tab}`, ids.number]),
  staff: (ids) => [
    ["notifications", "/notifications", "Notifications"],
    ["account", "/account", "Your account"],
    ["company", "/settings/company", "Company"],
    ["funding-policy", "/settings/company?tab=funding", "Company"],
    ["underwriting-policy", "/settings/company?tab=underwriting", "Company"],
    ["users", "/settings/users", "Users"],
    ["roles", "/settings/users?tab=roles", "Users"],
    ["user", `/settings/users/${ids.admin}`, "Ada"],
    ["audit", "/settings/audit", "Audit log"],
  ],
  settings: (ids) => [
    ["webhooks", "/settings/webhooks", "Webhooks"],
    ["deliveries", "/settings/webhooks?tab=deliveries", "Webhooks"],
    ["event-catalog", "/settings/webhooks?tab=catalogue", "Webhooks"],
    ["endpoint", `/settings/webhooks/${ids.endpoint}`, "http://127.0.0.1:9/hooks"],
    ["keys", "/settings/keys", "API keys"],
    ["forms", "/settings/forms", "Application forms"],
    ["form", `/settings/forms/${ids.form}`, "Application"],
    ["lists", "/settings/lists", "Lists"],
    ["decline-reasons", "/settings/lists?tab=declines", "Lists"],
    ["stipulation-templates", "/settings/lists?tab=stipulations", "Lists"],
    ["call-outcomes", "/settings/lists?tab=calls", "Lists"],
    ["return-codes", "/settings/lists?tab=returns", "Lists"],
  ],
};

for (const [name, pages] of Object.entries(groups)) {
  test(`the ${name} pages are accessible and fit a phone`, async ({ page, portal, company }) => {
    test.skip(!runPageChecks && name !== "work", "page checks run on the other database");
    for (const [name, path, heading] of pages({ ...company.data, admin: company.members.admin?.id })) {
      await portal.goto(path);
      await expect(portal.heading(heading).first()).toBeVisible();
      await portal.loaded();
      await portal.checkPage(name);
      expect(await page.evaluate(() => window.planted), `stored markup does not run at ${path}`).toBeUndefined();
    }
  });
}
