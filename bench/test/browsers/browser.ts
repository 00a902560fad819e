/** Experiments that start browsers themselves are tested where there is one; without it, why they are not is printed. */
import { missingChromium } from "../../src/browsers/browser-needed.ts"

/** They wait for browsers, not for a clock. */
export const BROWSER_TIMEOUT_MS = 600_000

export function noChromium(what: string): boolean {
  const missing = missingChromium()
  if (missing !== null) console.log(`Skipped: ${what}. ${missing}`)
  return missing !== null
}
