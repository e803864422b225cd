// Takes the screenshots of the README: seeds a temporary database with demo data, serves it, and captures the dashboard
// and a funded deal. Run by `make screenshots`.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";

const here = import.meta.dirname;
const paydown = join(here, "../bin/paydown");
/** Size limit of a screenshot, in bytes. */
const maxSize = 200_000;

/** Returns a free port of this machine. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until the server is ready. */
async function waitUntilReady(base) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(100)) {
    const response = await fetch(`${base}/readyz`).catch(() => undefined);
    if (response?.ok) {
      return;
    }
  }
  throw new Error(`${base} does not answer`);
}

/** Saves a screenshot once the page has loaded. */
async function capture(page, name) {
  await page.waitForFunction(() => !document.querySelector("[role=status][aria-label^=Loading], [aria-busy=true]"));
  await page.evaluate(() => document.fonts.ready);
  const path = join(here, "screenshots", `${name}.png`);
  await page.screenshot({ path, animations: "disabled" });
  const { size } = await stat(path);
  if (size > maxSize) {
    throw new Error(`${path} has ${size} bytes, of ${maxSize} at most`);
  }
  console.log(`${path}: ${size} bytes`);
}

const tempDir = await mkdtemp(join(tmpdir(), "paydown-screenshots-"));
const port = await freePort();
const base = `http://localhost:${port}`;
const env = {
  ...process.env,
  PAYDOWN_DB: `sqlite:${join(tempDir, "demo.db")}`,
  PAYDOWN_ADDR: `127.0.0.1:${port}`,
  PAYDOWN_ADMIN_ADDR: "127.0.0.1:0",
};
const { stdout } = await promisify(execFile)(paydown, ["demo", "--json"], { env, maxBuffer: 1 << 24 });
const { login } = JSON.parse(stdout).tenants[0];
const server = spawn(paydown, ["serve"], { env, stdio: "ignore" });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
try {
  await waitUntilReady(base);
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, timezoneId: "America/New_York" });
  await page.goto(base);
  await page.getByLabel("Email").fill(login.email);
  await page.getByRole("textbox", { name: "Password" }).fill(login.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await page.getByRole("list", { name: "To do" }).getByRole("link", { name: /^D-/ }).first().waitFor();
  await capture(page, "dashboard");
  // An advance in mid-term: neither new nor almost paid off.
  await page.goto(`${base}/deals?state=FUNDED&sort=-FUNDED_AT`);
  const rows = page.getByRole("table", { name: "deals" }).getByRole("row").filter({ hasText: "MCA" });
  await rows.nth(8).getByRole("link", { name: /^D-/ }).click();
  await page.getByRole("region", { name: "Payoff" }).getByLabel("Payoff quote").waitFor();
  await capture(page, "deal");
} finally {
  await browser.close();
  server.kill();
  await once(server, "exit");
  await rm(tempDir, { recursive: true });
}
