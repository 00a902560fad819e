/** The experiments that drive the whole app: they need it built, and take long. `npm run test:deep` has them. */
import { expect, test } from "vitest"
import type { Experiment } from "../src/experiment.ts"
import type { Figure } from "../src/figure.ts"
import { filesExperiment } from "../src/files-experiment.ts"
import { roomExperiment } from "../src/room-experiment.ts"
import { tabExperiment } from "../src/tab-experiment.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"

const isDeep = process.env["APP"] === "built"
if (!isDeep) console.log("Skipped: room, files and tab with the built app. npm run test:deep builds it and has them.")
const skipped = !isDeep || noChromium("room, files and tab")

async function collect({ run }: Experiment, sizes: readonly number[] | undefined): Promise<Figure[]> {
  const figures: Figure[] = []
  for await (const figure of run({ runs: 1, quick: true, ...(sizes ? { sizes } : {}) }, () => {})) figures.push(figure)
  return figures
}

test.skipIf(skipped).each([
  [roomExperiment, undefined, Array<string>(9).fill("ms")],
  [filesExperiment, undefined, ["MB/s", "MB/s", "ratio", "MB/s", "MB", "MB"]],
  [tabExperiment, [2], ["count", "ms", "ms", "per second", "per second", "ms", "ms"]],
] as const)(
  "$name: each figure has its unit, and is of something",
  { timeout: BROWSER_TIMEOUT_MS },
  async (experiment, sizes, units) => {
    const figures = await collect(experiment, sizes)
    expect(figures.map(({ unit }) => unit)).toEqual(units)
    for (const { metric, min, median, max } of figures) {
      expect(min <= median && median <= max, metric).toBe(true)
      expect(metric.startsWith("growth") || min > 0, metric).toBe(true)
    }
  },
)
