import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Company } from "./company";
import { aDeal, aFundedDeal, aStipulation } from "./given";
import { expect, type Portal, test } from "./portal";

// Responses are lost or late, the server is unreachable, and users click twice or leave before the response arrives.
// Nothing is executed twice, no input is lost, and no screen shows another record's data.

/** A promise that is resolved from outside. */
function deferred<Value>() {
  let keep: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}

/** Holds the responses to an operation. The returned function delivers or drops them. */
async function hold(page: Page, company: Company, operation: string) {
  const ended = deferred<"as it is" | "lost">();
  const settled = deferred<void>();
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes(operation)) {
      return route.fallback();
    }
    const answer = await company.answer(route);
    await ((await ended.promise) === "lost" ? route.abort() : route.fulfill({ response: answer }));
    return settled.keep();
  });
  return async (how: "as it is" | "lost" = "as it is") => {
    ended.keep(how);
    await settled.promise; // requests that arrive after this bypass the route
    await page.unrouteAll({ behavior: "ignoreErrors" });
  };
}

async function record(portal: Portal, amount: string) {
  await portal.button("Record payment").click();
  await portal.field("Amount").fill(amount);
  await portal.press("Record");
}

test("a payment is recorded once when it is resent after a lost answer", async ({
  page,
  company,
  portal,
  api,
  problems,
}) => {
  problems.allow("ERR_FAILED");
  const deal = await aFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  await expect(page.getByText("126 total")).toBeVisible();
  const answer = await hold(page, company, "mutation CreatePayment");
  await record(portal, "123.45");
  await answer("lost");
  await expect(portal.dialog.getByText("will not duplicate it")).toBeVisible();
  await expect(page.getByText("127 total")).toBeVisible();
  await portal.submit("Record");
  await expect(page.getByText("was already saved")).toBeVisible();
  await portal.loaded();
  await expect(page.getByText("127 total")).toBeVisible();
  // A new submission is a new payment.
  await record(portal, "123.45");
  await expect(portal.dialog).toBeHidden();
  await expect(page.getByText("128 total")).toBeVisible();
});

test("a file is stored once when it is uploaded again after a lost answer", async ({ page, portal, api, problems }) => {
  problems.allow("ERR_CONNECTION_RESET");
  const file = test.info().outputPath("statement.pdf");
  writeFileSync(file, "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n");
  const deal = await aDeal(api);
  const link = page.getByRole("link", { name: "statement.pdf" });
  await portal.goto(`${deal.path}?tab=documents`);
  const choose = portal.region("Upload").locator("input[type=file]");
  // The response is lost after the server has stored the file.
  const network = await page.context().newCDPSession(page);
  network.on("Fetch.requestPaused", ({ requestId }) =>
    network.send("Fetch.failRequest", { requestId, errorReason: "ConnectionReset" }),
  );
  await network.send("Fetch.enable", { patterns: [{ urlPattern: "*/documents?*", requestStage: "Response" }] });
  await choose.setInputFiles(file);
  await expect(page.getByText("will not create a duplicate")).toBeVisible();
  await network.send("Fetch.disable");
  await network.detach();
  await choose.setInputFiles(file);
  await expect(page.getByText("was already saved")).toBeVisible();
  await expect(link).toHaveCount(1);
  await choose.setInputFiles(file);
  await expect(page.getByText("statement.pdf uploaded.")).toBeVisible();
  await expect(link).toHaveCount(2);
});

test("offline, data and input stay on screen, and refresh once back online", async ({
  page,
  context,
  portal,
  api,
  problems,
}) => {
  problems.allow("ERR_INTERNET_DISCONNECTED");
  const deal = await aDeal(api);
  const outdated = page.getByText("This page may be out of date").first();
  await portal.goto(deal.path);
  await portal.button("Edit").click();
  await portal.field("Reference ID").fill("typed before");
  await context.setOffline(true);
  await portal.press("Save");
  await expect(outdated).toBeVisible();
  await portal.examine("outdated");
  await expect(portal.field("Reference ID")).toHaveValue("typed before");
  await context.setOffline(false);
  await portal.submit("Save");
  await expect(outdated).toBeHidden();
});

test("a list that failed to load is read again once the server answers", async ({ page, portal, api, problems }) => {
  problems.allow("ERR_FAILED");
  await api.post("/leads", { businessName: "Tamarack Auto Body" });
  await page.route("**/graphql", (route) =>
    route.request().postData()?.includes("query Leads") ? route.abort() : route.fallback(),
  );
  await portal.goto("/leads");
  await expect(page.getByText("The server cannot be reached.")).toBeVisible();
  await page.unrouteAll();
  await portal.button("Notifications").click();
  await expect(page.getByRole("link", { name: "Tamarack Auto Body" })).toBeVisible();
});

test("an error that arrives after its dialog was closed is still shown", async ({ page, company, portal, api }) => {
  const deal = await aFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  const answer = await hold(page, company, "mutation CreatePayment");
  await record(portal, "0.00");
  await page.keyboard.press("Escape");
  await expect(portal.dialog).toBeHidden();
  await answer();
  await expect(page.getByRole("alert").filter({ hasText: "amount" })).toBeVisible();
});

test("pressing Next twice before the page has loaded goes one page forward", async ({ page, company, portal, api }) => {
  const deal = await aFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  await expect(page.getByText("126 total")).toBeVisible();
  const answer = await hold(page, company, "query Payments");
  await portal.button("Next").click();
  await portal.button("Next").click();
  await answer();
  await portal.loaded();
  await portal.button("Previous").click();
  await expect(portal.button("Previous")).toBeDisabled();
});

test("while another deal loads, nothing of the previous one is shown", async ({ page, company, portal, api }) => {
  const [first, second] = [await aDeal(api), await aDeal(api)];
  await portal.goto(`${first.path}?tab=communications`);
  await page.getByLabel("New note").fill("About the other deal");
  const answer = await hold(page, company, "query Deal(");
  await page.evaluate((to) => {
    window.history.pushState({}, "", to);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }, `${second.path}?tab=communications`);
  await expect(page.getByRole("status", { name: "Loading deal" })).toBeVisible();
  await answer();
  await expect(portal.heading(second.dealNumber)).toBeVisible();
  await expect(page.getByLabel("New note"), "what was typed about the first").toHaveValue("");
});

/**
 * Delays the responses to a query, which the server answers immediately, until the given number of mutations is
 * answered.
 */
async function readsBefore(page: Page, company: Company, query: string, mutations: number) {
  const done = deferred<void>();
  let acts = 0;
  await page.route("**/graphql", async (route) => {
    if (route.request().headers().accept?.includes("text/event-stream")) {
      return route.continue(); // a stream never ends
    }
    const answer = await company.answer(route);
    if (route.request().postData()?.includes("mutation")) {
      await route.fulfill({ response: answer });
      if (++acts === mutations) {
        done.keep();
      }
      return;
    }
    if (route.request().postData()?.includes(query)) {
      await done.promise;
    }
    await route.fulfill({ response: answer }).catch(() => {}); // the page may have aborted the request
  });
}

test("a read between two quick mutations does not hide the second", async ({ page, company, portal, api }) => {
  const deal = await aDeal(api);
  const buttons = page.getByRole("table", { name: "Stipulations" }).getByRole("button", { name: /^Mark received: / });
  await portal.goto(`${deal.path}?tab=stipulations`);
  await expect(buttons.first()).toBeVisible();
  const before = await buttons.count();
  await readsBefore(page, company, "query DealStipulations", 2);
  const read = page.waitForRequest((request) => !!request.postData()?.includes("query DealStipulations"));
  await buttons.nth(0).click();
  await read;
  await buttons.nth(1).click();
  await expect(buttons).toHaveCount(before - 2);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a screen whose first read predates a mutation shows its result", async ({
  page,
  company,
  portal,
  api,
  staff,
}) => {
  const deal = await aDeal(api);
  await aStipulation(staff, deal, "A letter");
  await portal.goto(`${deal.path}?tab=stipulations`);
  // The server answers the dashboard's query before the mutation; the page receives that response after the mutation's.
  const read = deferred<void>();
  const acted = deferred<void>();
  await page.route("**/graphql", async (route) => {
    const sent = route.request().postData() ?? "";
    if (sent.includes("mutation ReceiveStipulation")) {
      await read.promise;
      await route.fulfill({ response: await company.answer(route) });
      acted.keep();
    } else if (sent.includes("query Dashboard")) {
      const answer = await company.answer(route);
      read.keep();
      await acted.promise;
      await route.fulfill({ response: answer }).catch(() => {}); // the page may have aborted the request
    } else {
      await route.fallback();
    }
  });
  await portal.button("Mark received: A letter").click();
  await portal.place("Dashboard");
  await expect(page.getByRole("listitem").filter({ hasText: "Stipulations to review" })).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
