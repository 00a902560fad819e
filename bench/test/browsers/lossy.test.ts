import { missingForLine } from "@keymoot/e2e/line"
import { missingForLab } from "@keymoot/e2e/namespaces"
import { expect, test } from "vitest"
import { CONCEALED } from "../../src/lossy/networks.ts"
import type { Figure } from "../../src/experiment/figure.ts"
import { lossyExperiment } from "../../src/lossy/lossy-experiment.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"
import { expectSound } from "../sound.ts"

const isDeep = process.env["CALLS"] === "measured"
const missing = isDeep ? (missingForLab() ?? missingForLine()) : "It takes two minutes, and npm run test:deep has it."
if (missing !== null) console.log(`Skipped: lossy. ${missing}`)

test.skipIf(missing !== null || noChromium("lossy"))(
  "lossy: two hear each other with loss, with and without RED, and over a line",
  { timeout: 2 * BROWSER_TIMEOUT_MS },
  async () => {
    const figures: Figure[] = []
    for await (const figure of lossyExperiment.run({ runs: 1, quick: true }, () => undefined)) figures.push(figure)
    expectSound("lossy", figures)
    expect(figures.filter(({ metric }) => metric === CONCEALED)).toHaveLength(6)
    expect(lossyExperiment.shows!.found(figures)).not.toContain("?")
  },
)
