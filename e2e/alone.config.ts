import { defineConfig } from "@playwright/test"
import base from "./playwright.config.ts"

/**
 * The tests that need both processors, such as a call while members come and go. Beside another test they would measure that
 * one. `npm run test:browsers:all` runs them after all others.
 */
export default defineConfig(base, { grep: /@alone/u, grepInvert: /@deep/u, workers: 1 })
