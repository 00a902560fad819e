import { defineConfig } from "@playwright/test"

export default defineConfig({
  testDir: "tests",
  testMatch: "*.test.ts",
  outputDir: "test-results",
  forbidOnly: true,
  // A test that fails now and then has found something: it is never repeated until it passes.
  retries: 0,
  // Every test drives two or three browsers, which share the machine's processors.
  workers: 1,
  // Generous, because nothing here is about speed: tests wait on what a person would see.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: { actionTimeout: 30_000, navigationTimeout: 30_000 },
  reporter: [["list"], ["./tally-reporter.ts"]],
})
