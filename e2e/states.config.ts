import { defineConfig } from "@playwright/test"
import base from "./playwright.config.ts"

/** The screens in every state, in minutes: `npm run states --workspace e2e`. */
export default defineConfig(base, { testDir: "states" })
