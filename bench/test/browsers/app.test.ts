/** The experiments that drive the whole app, or a lab: they need it built, or root, and take long. `npm run test:deep` has them. */
import { missingForLab } from "@keymoot/e2e/namespaces"
import { expect, test } from "vitest"
import { crowdedExperiment } from "../../src/crowded/crowded-experiment.ts"
import type { Experiment, Options } from "../../src/experiment/experiment.ts"
import type { Figure } from "../../src/experiment/figure.ts"
import { filesExperiment } from "../../src/files/files-experiment.ts"
import { roomExperiment } from "../../src/room/room-experiment.ts"
import { slowExperiment } from "../../src/slow/slow-experiment.ts"
import { tabExperiment } from "../../src/tab/tab-experiment.ts"
import { wanExperiment } from "../../src/wan/wan-experiment.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"
import { expectSound } from "../sound.ts"

const isDeep = process.env["APP"] === "built"
if (!isDeep)
  console.log("Skipped: room, crowded, slow, files, tab and wan. npm run test:deep builds the app and has them.")
const skipped = !isDeep || noChromium("room, crowded, slow, files, tab and wan")
const missing = missingForLab()
if (isDeep && missing !== null) console.log(`Skipped: slow and wan. ${missing}`)

async function collect({ run }: Experiment, options: Options = {}): Promise<Figure[]> {
  const figures: Figure[] = []
  for await (const figure of run({ runs: 1, quick: true, ...options }, () => {})) figures.push(figure)
  return figures
}
const unitsOf = (figures: readonly Figure[]): string[] => figures.map(({ unit }) => unit)
const timeout = BROWSER_TIMEOUT_MS

test.skipIf(skipped)("room: what a person waits for, in milliseconds", { timeout }, async () => {
  const figures = await collect(roomExperiment)
  expectSound("room", figures)
  expect(unitsOf(figures)).toEqual(Array<string>(9).fill("ms"))
})

test.skipIf(skipped)("crowded: frames and processor time of a page with others", { timeout }, async () => {
  const figures = await collect(crowdedExperiment)
  expectSound("crowded", figures)
  expect(unitsOf(figures)).toEqual(["%", "%", "ms", "%", "ms"])
})

test.skipIf(skipped || missing !== null)("slow: waiting times of a visitor, in milliseconds", { timeout }, async () => {
  const figures = await collect(slowExperiment)
  expectSound("slow", figures)
  expect(unitsOf(figures)).toEqual(Array<string>(4).fill("ms"))
})

test.skipIf(skipped)("files: how fast one goes, and what the pages grow by", { timeout }, async () => {
  const figures = await collect(filesExperiment)
  expectSound("files", figures)
  expect(unitsOf(figures)).toEqual(["MB/s", "MB/s", "ratio", "ms", "ms", "MB/s", "MB", "MB"])
})

test.skipIf(skipped)("tab: the runner has what the page measures", { timeout }, async () => {
  const figures = await collect(tabExperiment, { sizes: [2] })
  expectSound("tab", figures)
  expect(unitsOf(figures)).toEqual(["count", "ms", "ms", "per second", "per second", "ms", "ms"])
})

test.skipIf(skipped || missing !== null)(
  "wan: matches the papers' round trips; real times take at least one, as simulated",
  { timeout },
  async () => {
    const figures = await collect(wanExperiment, { sizes: [4], modules: ["tgdh", "majority"] })
    expectSound("wan", figures)
    const trips = figures.filter(({ metric }) => metric === "real: round trip of the lab")
    expect(trips.map(({ paper }) => paper)).toEqual([70, 300, 270])
    for (const { min, paper } of trips) expect(min).toBeGreaterThanOrEqual(paper! - 1)
    for (const face of ["real", "simulated"]) {
      for (const event of ["join", "leave", "partition", "merge", "from JHU", "from UCI", "from ICU"]) {
        const own = figures.filter((figure) => figure.event === event && figure.metric.startsWith(face))
        expect(own.length, `${face}: ${event}`).toBeGreaterThan(0)
        for (const { min } of own) expect(min).toBeGreaterThan(35)
      }
    }
    for (const event of ["join", "leave", "partition", "merge"]) {
      expect(
        figures.some((one) => one.module === "majority" && one.event === event),
        event,
      ).toBe(true)
    }
    expect(figures.some(({ event }) => event?.includes(", ordered at ") === true)).toBe(true)
  },
)
