import { test as base } from "../support/fixtures.ts"

export { expect } from "@playwright/test"

/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern which fixtures another one needs. */

/** The screens have no engine behind them, and need no server. */
export const test = base.extend({
  server: async ({}, use) => use(undefined as never),
})
