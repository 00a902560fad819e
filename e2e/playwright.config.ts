import { defineConfig } from "@playwright/test"

export default defineConfig({
  testDir: "tests",
  testMatch: "*.test.ts",
  // Tests that repeat another one in another browser or for another person: see `deep.config.ts`. And those that need both
  // processors: see `alone.config.ts`.
  grepInvert: /@deep|@alone/u,
  outputDir: "test-results",
  forbidOnly: true,
  // A machine that is busy for a moment must not hold up a release. A test that passes only at its second try has still found
  // something. The last lines of the run name it, so that somebody looks into it.
  retries: 1,
  // Most of a test's time is waiting, for links, keys and people's fingers. More than two at once wait for processors instead.
  workers: 2,
  // Also those of one file: the last ones would leave a processor idle.
  fullyParallel: true,
  // Generous, because nothing here is about speed: tests wait on what a person would see.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  use: { actionTimeout: 30_000, navigationTimeout: 30_000 },
  reporter: [["list"], ["./tally-reporter.ts"]],
})
