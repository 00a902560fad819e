import { defineConfig } from "@playwright/test"
import base from "./playwright.config.ts"

/** Production builds by other people's bundlers, which are installed from the registry: `npm run bundlers --workspace e2e`. */
export default defineConfig(base, { testDir: "bundlers", workers: 1, timeout: 900_000 })
