import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Company } from "./company";
import { expect, type Portal, test } from "./portal";
import { createDeal, createFundedDeal, createStipulation } from "./testData";

// Responses are lost or late, the server is unreachable, and users click twice or leave before the response arrives.
// Nothing is executed twice, no input is lost, and no screen shows another record's data.

/** A promise that is resolved from outside. */
function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Holds the responses to an operation. The returned function delivers or drops them. */
async function holdResponses(page: Page, company: Company, operation: string) {
  const fate = deferred<"deliver" | "drop">();
  const handled = deferred<void>();
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes(operation)) {
      return route.fallback();
    }
    const response = await company.fetchResponse(route);
    await ((await fate.promise) === "drop" ? route.abort() : route.fulfill({ response }));
    return handled.resolve();
  });
  return async (outcome: "deliver" | "drop" = "deliver") => {
    fate.resolve(outcome);
    await handled.promise; // requests that arrive after this bypass the route
    await page.unrouteAll({ behavior: "ignoreErrors" });
  };
}

async function recordPayment(portal: Portal, amount: string) {
  await portal.button("Record payment").click();
  await portal.field("Amount").fill(amount);
  await portal.press("Record");
}

test("a payment is recorded once when it is resent after a lost response", async ({
  page,
  company,
  portal,
  api,
  problems,
}) => {
  problems.allow("ERR_FAILED");
  const deal = await createFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  await expect(page.getByText("126 total")).toBeVisible();
  const release = await holdResponses(page, company, "mutation CreatePayment");
  await recordPayment(portal, "123.45");
  await release("drop");
  await expect(portal.dialog.getByText("will not duplicate it")).toBeVisible();
  await expect(page.getByText("127 total")).toBeVisible();
  await portal.submit("Record");
  await expect(page.getByText("was already saved")).toBeVisible();
  await portal.loaded();
  await expect(page.getByText("127 total")).toBeVisible();
  // A new submission is a new payment.
  await recordPayment(portal, "123.45");
  await expect(portal.dialog).toBeHidden();
  await expect(page.getByText("128 total")).toBeVisible();
});

test("a file is stored once when it is uploaded again after a lost response", async ({
  page,
  portal,
  api,
  problems,
}) => {
  problems.allow("ERR_CONNECTION_RESET");
  const file = test.info().outputPath("statement.pdf");
  writeFileSync(file, "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n");
  const deal = await createDeal(api);
  const link = page.getByRole("link", { name: "statement.pdf" });
  await portal.goto(`${deal.path}?tab=documents`);
  const fileInput = portal.region("Upload").locator("input[type=file]");
  // The response is lost after the server has stored the file.
  const network = await page.context().newCDPSession(page);
  network.on("Fetch.requestPaused", ({ requestId }) =>
    network.send("Fetch.failRequest", { requestId, errorReason: "ConnectionReset" }),
  );
  await network.send("Fetch.enable", { patterns: [{ urlPattern: "*/documents?*", requestStage: "Response" }] });
  await fileInput.setInputFiles(file);
  await expect(page.getByText("will not create a duplicate")).toBeVisible();
  await network.send("Fetch.disable");
  await network.detach();
  await fileInput.setInputFiles(file);
  await expect(page.getByText("was already saved")).toBeVisible();
  await expect(link).toHaveCount(1);
  await fileInput.setInputFiles(file);
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
  const deal = await createDeal(api);
  const outdated = page.getByText("This page may be out of date").first();
  await portal.goto(deal.path);
  await portal.button("Edit").click();
  await portal.field("Reference ID").fill("entered before");
  await context.setOffline(true);
  await portal.press("Save");
  await expect(outdated).toBeVisible();
  await portal.checkPage("outdated");
  await expect(portal.field("Reference ID")).toHaveValue("entered before");
  await context.setOffline(false);
  await portal.submit("Save");
  await expect(outdated).toBeHidden();
});

test("a list that failed to load reloads once the server responds", async ({ page, portal, api, problems }) => {
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
  const deal = await createFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  const release = await holdResponses(page, company, "mutation CreatePayment");
  await recordPayment(portal, "0.00");
  await page.keyboard.press("Escape");
  await expect(portal.dialog).toBeHidden();
  await release();
  await expect(page.getByRole("alert").filter({ hasText: "amount" })).toBeVisible();
});

test("pressing Next twice before the page has loaded goes one page forward", async ({ page, company, portal, api }) => {
  const deal = await createFundedDeal(api);
  await portal.goto(`${deal.path}?tab=payments`);
  await expect(page.getByText("126 total")).toBeVisible();
  const release = await holdResponses(page, company, "query Payments");
  await portal.button("Next").click();
  await portal.button("Next").click();
  await release();
  await portal.loaded();
  await portal.button("Previous").click();
  await expect(portal.button("Previous")).toBeDisabled();
});

test("while another deal loads, the previous one is not shown", async ({ page, company, portal, api }) => {
  const [first, second] = [await createDeal(api), await createDeal(api)];
  await portal.goto(`${first.path}?tab=communications`);
  await page.getByLabel("New note").fill("About the first deal");
  const release = await holdResponses(page, company, "query Deal(");
  await page.evaluate((to) => {
    window.history.pushState({}, "", to);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }, `${second.path}?tab=communications`);
  await expect(page.getByRole("status", { name: "Loading deal" })).toBeVisible();
  await release();
  await expect(portal.heading(second.dealNumber)).toBeVisible();
  await expect(page.getByLabel("New note"), "input for the first deal is gone").toHaveValue("");
});

/** Delays the responses to a query until the given number of mutations is answered. */
async function delayQuery(page: Page, company: Company, query: string, mutations: number) {
  const done = deferred<void>();
  let answered = 0;
  await page.route("**/graphql", async (route) => {
    if (route.request().headers().accept?.includes("text/event-stream")) {
      return route.continue(); // a stream never ends
    }
    const response = await company.fetchResponse(route);
    if (route.request().postData()?.includes("mutation")) {
      await route.fulfill({ response });
      if (++answered === mutations) {
        done.resolve();
      }
      return;
    }
    if (route.request().postData()?.includes(query)) {
      await done.promise;
    }
    await route.fulfill({ response }).catch(() => {}); // the page may have aborted the request
  });
}

test("a query between two quick mutations does not hide the second one", async ({ page, company, portal, api }) => {
  const deal = await createDeal(api);
  const buttons = page.getByRole("table", { name: "Stipulations" }).getByRole("button", { name: /^Mark received: / });
  await portal.goto(`${deal.path}?tab=stipulations`);
  await expect(buttons.first()).toBeVisible();
  const initialCount = await buttons.count();
  await delayQuery(page, company, "query DealStipulations", 2);
  const queried = page.waitForRequest((request) => !!request.postData()?.includes("query DealStipulations"));
  await buttons.nth(0).click();
  await queried;
  await buttons.nth(1).click();
  await expect(buttons).toHaveCount(initialCount - 2);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a screen whose first query predates a mutation shows the mutation's result", async ({
  page,
  company,
  portal,
  api,
  staff,
}) => {
  const deal = await createDeal(api);
  await createStipulation(staff, deal, "A letter");
  await portal.goto(`${deal.path}?tab=stipulations`);
  // The server answers the dashboard's query before the mutation; the page receives that response after the mutation's.
  const queried = deferred<void>();
  const mutated = deferred<void>();
  await page.route("**/graphql", async (route) => {
    const body = route.request().postData() ?? "";
    if (body.includes("mutation ReceiveStipulation")) {
      await queried.promise;
      await route.fulfill({ response: await company.fetchResponse(route) });
      mutated.resolve();
    } else if (body.includes("query Dashboard")) {
      const response = await company.fetchResponse(route);
      queried.resolve();
      await mutated.promise;
      await route.fulfill({ response }).catch(() => {}); // the page may have aborted the request
    } else {
      await route.fallback();
    }
  });
  await portal.button("Mark received: A letter").click();
  await portal.navigate("Dashboard");
  await expect(page.getByRole("listitem").filter({ hasText: "Stipulations to review" })).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
