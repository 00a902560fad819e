#!/usr/bin/env node
/**
 * The entry of `@keymoot/server`, which `tools/packages/server-package.ts` builds: one script with the web app beside
 * it.
 */
import { fileURLToPath } from "node:url"
import { run } from "./run.ts"

await run(fileURLToPath(new URL("web", import.meta.url)))
