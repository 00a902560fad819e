import { defineConfig } from "@playwright/test"
import base from "./playwright.config.ts"

/**
 * The variants that are too long for every day, each a story that `npm run test:browsers:all` tells of another browser or
 * another person: `npm run deep --workspace e2e`.
 */
export default defineConfig(base, {
  grep: /@deep/u,
  grepInvert: [],
  // Several of them measure, so no other may run beside them.
  workers: 1,
})
