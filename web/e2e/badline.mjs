// Tells how staff work over a bad line: answers are lost and late, nothing can be read for a while, somebody presses twice or is
// elsewhere by the time that an answer comes. Nothing is done twice, nothing that was typed is lost, and no screen shows another's.
import assert from "node:assert/strict";
import { button, forgive, heading, loaded, look, page, signIn, tell, told } from "./browser.mjs";

const { base, shared, paths, file } = told;
const dialog = () => page.getByRole("dialog");

async function logIn() {
  await page.goto(`${base}/`);
  await heading("Sign in").waitFor();
  await signIn();
  await heading("Dashboard").waitFor();
}

/** hold keeps back the answers to an operation from when its page asks until they are let go: as they are, or lost. */
async function hold(operation) {
  let end;
  const ended = new Promise((done) => {
    end = done;
  });
  let settle;
  const settled = new Promise((done) => {
    settle = done;
  });
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes(operation)) {
      return route.fallback();
    }
    const answer = await route.fetch();
    await ((await ended) === "lost" ? route.abort() : route.fulfill({ response: answer }));
    return settle();
  });
  return async (how) => {
    end(how);
    await settled; // what is under way when nobody looks at requests any more goes on past this
    await page.unrouteAll({ behavior: "ignoreErrors" });
  };
}

/** record fills in a payment and has it recorded. */
async function record(amount) {
  await button("Record a payment").click();
  await dialog().getByLabel("Amount").fill(amount);
  await dialog().getByRole("button", { name: "Record", exact: true }).click();
}

/** A payment whose answer was lost is there once, however often it is sent; what is asked for anew is done anew. */
async function loseAnAnswer() {
  await page.goto(`${base}${paths[1]}?tab=payments`);
  await page.getByText("129 in all").waitFor();
  const lose = await hold("mutation CreatePayment");
  await record("123.45");
  await lose("lost");
  await dialog().getByText("it is not done twice").waitFor();
  await page.getByText("130 in all").waitFor();
  await dialog().getByRole("button", { name: "Record", exact: true }).click();
  await dialog().waitFor({ state: "hidden" });
  await page.getByText("was not done again").waitFor();
  await loaded();
  await page.getByText("130 in all").waitFor();
  await record("123.45");
  await dialog().waitFor({ state: "hidden" });
  await page.getByText("131 in all").waitFor();
  forgive("ERR_FAILED");
}

/** A file whose answer was lost is kept once, however often it is sent. Its answers are lost on their way, past the server. */
async function loseAFile() {
  await page.goto(`${base}${paths[1]}?tab=documents`);
  const choose = page.getByRole("region", { name: "Upload" }).locator("input[type=file]");
  const network = await page.context().newCDPSession(page);
  network.on("Fetch.requestPaused", ({ requestId }) =>
    network.send("Fetch.failRequest", { requestId, errorReason: "ConnectionReset" }),
  );
  await network.send("Fetch.enable", { patterns: [{ urlPattern: "*/documents?*", requestStage: "Response" }] });
  await choose.setInputFiles(file);
  await page.getByText("it is not kept twice").waitFor();
  await network.send("Fetch.disable");
  await network.detach();
  await choose.setInputFiles(file);
  await page.getByText("was not done again").waitFor();
  await page.getByRole("link", { name: "statement.pdf" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "statement.pdf" }).count(), 1);
  await choose.setInputFiles(file); // which is asked for anew
  await page.getByText("statement.pdf is uploaded.").waitFor();
  await page.getByRole("link", { name: "statement.pdf" }).nth(1).waitFor();
  forgive("ERR_CONNECTION_RESET");
}

/** What is shown and what was typed stay where nothing can be read again, and go on by themselves. */
async function loseTheNetwork() {
  const outdated = page.getByText("What is shown may have changed since").first();
  await button("Edit").click();
  await dialog().getByLabel("Own reference").fill("typed before");
  await page.context().setOffline(true);
  await dialog().getByRole("button", { name: "Save" }).click();
  await outdated.waitFor();
  await look("outdated");
  assert.equal(await dialog().getByLabel("Own reference").inputValue(), "typed before");
  await page.context().setOffline(false);
  await dialog().getByRole("button", { name: "Save" }).click();
  await dialog().waitFor({ state: "hidden" });
  await outdated.waitFor({ state: "hidden" });
  forgive("ERR_INTERNET_DISCONNECTED");
}

/** Whoever leaves a dialog before the answer is here is told of a refusal all the same. */
async function leaveWhileSaving() {
  const answer = await hold("mutation CreatePayment");
  await record("0.00");
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
  await answer();
  await page.getByRole("alert").filter({ hasText: "amount" }).waitFor();
}

/** Who presses twice before the next page is here comes back to the first all the same. */
async function pageQuickly() {
  const answer = await hold("query Payments");
  await button("Next").click();
  await button("Next").click();
  await answer();
  await loaded();
  await button("Previous").click();
  await page.getByRole("button", { name: "Previous", exact: true, disabled: true }).waitFor();
}

/** Until another deal is here, nothing of the one before stands under its address, nor does what was typed go with it. */
async function goFromDealToDeal() {
  await page.goto(`${base}${paths[1]}?tab=communications`);
  await page.getByLabel("New note").fill("About the other deal");
  const answer = await hold("query Deal(");
  await page.evaluate((to) => {
    window.history.pushState({}, "", to);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }, `${paths[0]}?tab=communications`);
  await page.getByRole("status", { name: "Loading the deal" }).waitFor();
  await answer();
  await heading(shared).waitFor();
  assert.equal(await page.getByLabel("New note").inputValue(), "", "what was typed about one deal stands at another");
}

await tell(logIn, loseAnAnswer, loseTheNetwork, leaveWhileSaving, pageQuickly, goFromDealToDeal, loseAFile);
