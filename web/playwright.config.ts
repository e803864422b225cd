import { defineConfig } from "@playwright/test";

// internal/portal/browser_test.go starts the server and runs these tests. It passes the addresses in the environment.

/** Timeouts in milliseconds, for a machine that is busy with other tests. Only failures wait this long. */
const timeouts = { test: 240_000, step: 60_000 };

export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: timeouts.test,
  expect: { timeout: timeouts.step },
  reporter: "list",
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      timeout: timeouts.step,
    },
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    timezoneId: "UTC",
    actionTimeout: timeouts.step,
    navigationTimeout: timeouts.step,
    screenshot: "only-on-failure",
    trace: { mode: "retain-on-failure", screenshots: false },
  },
});
