import { defineConfig } from "@playwright/test"
import base from "./playwright.config.ts"

/** Builds the container image and runs a conference through it: `npm run image`. */
export default defineConfig(base, { testDir: "image", workers: 1, timeout: 1_200_000 })
