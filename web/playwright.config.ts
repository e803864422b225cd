import { defineConfig } from "@playwright/test";

// internal/portal/browser_test.go starts the server and runs these tests. It passes the addresses in the environment.

/** Timeouts in milliseconds, for a machine that is busy with other tests. Only failures wait this long. */
const patience = { test: 240_000, step: 60_000 };

export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: patience.test,
  expect: { timeout: patience.step },
  reporter: "list",
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      timeout: patience.step,
    },
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    timezoneId: "UTC",
    actionTimeout: patience.step,
    navigationTimeout: patience.step,
    screenshot: "only-on-failure",
    trace: { mode: "retain-on-failure", screenshots: false },
  },
});
