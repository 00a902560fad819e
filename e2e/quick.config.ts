import { defineConfig } from "@playwright/test"
import { LATER_COUNT, LATER_PATTERN } from "./later.ts"
import base from "./playwright.config.ts"

/** The browser tests of `npm test`. `npm run test:browsers:all` has all. */
export default defineConfig(base, {
  grepInvert: [base.grepInvert, LATER_PATTERN].flat().filter((pattern) => pattern !== undefined),
  reporter: [["list"], ["./tally-reporter.ts", { later: LATER_COUNT }]],
})
