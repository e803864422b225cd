import { defineConfig } from "@playwright/test";

// internal/portal/browser_test.go starts the product and runs these tests, with the address of both in the environment.

/** Bounds for a machine that is busy with other tests, in milliseconds. Nothing waits so long that goes well. */
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
