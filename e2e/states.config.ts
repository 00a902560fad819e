import { fileURLToPath } from "node:url"
import { defineConfig } from "@playwright/test"
import base from "./playwright.config.ts"

/**
 * The screens in every state: `npm run states --workspace e2e`. With `-- --grep "room.*(de)"` those of one group in one
 * language.
 */
export default defineConfig(base, {
  testDir: "states",
  retries: 0,
  globalSetup: fileURLToPath(new URL("states/build-stories.ts", import.meta.url)),
})
