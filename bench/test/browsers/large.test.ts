/** Members in tabs of several browsers, as `npm run large` and `npm run mesh-sizes` have them. */
import { expect, test, vi } from "vitest"
import { Tabs } from "../../src/large/tabs.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"

const skipped = noChromium("members in tabs")

for (const [links, meshMax] of [
  ["a full mesh", 0],
  ["the overlay", 2],
] as const)
  test.skipIf(skipped)(
    `three members in two browsers meet over ${links}`,
    { timeout: BROWSER_TIMEOUT_MS },
    async () => {
      const tabs = await Tabs.open(2, meshMax)
      try {
        for (let i = 0; i < 3; i++) await tabs.add()
        const together = () => vi.waitFor(async () => expect(await tabs.together()).not.toBeNull(), BROWSER_TIMEOUT_MS)
        await together()
        expect(await tabs.processorMs()).toBeGreaterThan(0)
        await tabs.killLast()
        await together()
        expect(tabs.members).toBe(2)
      } finally {
        await tabs.close()
      }
    },
  )
