/** Experiments that start browsers themselves are tested where there is one; without it, why they are not is printed. */
import { findBrowser } from "@keymoot/e2e"

/** They wait for browsers, not for a clock. */
export const BROWSER_TIMEOUT_MS = 600_000

export function noChromium(what: string): boolean {
  if (findBrowser("chromium")) return false
  console.log(`Skipped: ${what}. There is no Chromium here: "node e2e/ensure-browsers.ts" installs one.`)
  return true
}
