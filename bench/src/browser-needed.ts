/** For experiments that start browsers. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { BrowserError, findBrowser } from "@keymoot/e2e"
import { Unavailable } from "./experiment.ts"

export const WEB_APP = join(import.meta.dirname, "../../apps/web/dist")

/** Null if there is a Chromium to measure with; else what to do. */
export function missingChromium(): string | null {
  try {
    return findBrowser("chromium") ? null : `There is no Chromium here: "node e2e/ensure-browsers.ts" installs one.`
  } catch (error) {
    // One that the environment names, and that cannot be used.
    if (error instanceof BrowserError) return error.message
    throw error
  }
}

/** @throws Unavailable if there is none */
export function needChromium(): void {
  const missing = missingChromium()
  if (missing !== null) throw new Unavailable(missing)
}

/** @throws Unavailable if there is no Chromium, or no app to open in it */
export function needWebApp(): void {
  if (!existsSync(join(WEB_APP, "index.html"))) throw new Unavailable("This needs the web app: npm run build:web.")
  needChromium()
}
