import { expect, test } from "vitest"
import { callExperiment } from "../../src/call/call-experiment.ts"
import {
  CHAT_CALL,
  CHAT_RATIO,
  CLICK,
  ENTER,
  FRAMES,
  PROCESSOR_RATIO,
  PUBLISH,
  STROKE_CALL,
  STROKE_RATIO,
  STROKE_SILENT,
  transformMetric,
} from "../../src/call/metrics.ts"
import { layersTable, LIMITS } from "../../src/call/limits.ts"
import { limitsTable } from "../../src/experiment/limits.ts"
import { type Figure, figureOf } from "../../src/experiment/figure.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"
import { expectSound } from "../sound.ts"

const isDeep = process.env["CALLS"] === "measured"
test("a limit of a call is missed by a figure beyond it, and not passed without one", () => {
  const limits = (...waits: number[]): string[] => {
    const figures = waits.length > 0 ? [figureOf({ experiment: "call", n: 2, metric: CLICK, unit: "ms" }, waits)] : []
    const rows = limitsTable(LIMITS, figures).split("\n")
    return rows.filter((row) => row.includes("Camera")).map((row) => row.split(" | ").at(-1)!.replace(" |", ""))
  }
  expect(limits()).toEqual(["not measured", "not measured"])
  expect(limits(100, 150, 400)).toEqual(["pass", "pass"])
  expect(limits(100, 150, 401)).toEqual(["pass", "**miss**"])
  expect(limits(100, 151, 400)).toEqual(["**miss**", "pass"])
})

if (!isDeep)
  console.log("Skipped: call. It takes a minute, and npm run test:deep has it. The browser tests have calls.")

test.skipIf(!isDeep || noChromium("call"))(
  "call: two pages see and hear each other, with and without frame encryption",
  { timeout: BROWSER_TIMEOUT_MS },
  async () => {
    const figures: Figure[] = []
    for await (const figure of callExperiment.run({ runs: 1, quick: true }, () => undefined)) figures.push(figure)
    expectSound("call", figures)
    const metrics = figures.map(({ event, metric }) => `${event ?? "call"}: ${metric}`)
    for (const event of ["microphone", "microphone and camera"])
      for (const direction of ["send", "receive"])
        expect(metrics).toContain(`${event}: ${transformMetric("audio", direction, "p99")}`)
    for (const direction of ["send", "receive"])
      expect(metrics).toContain(`microphone and camera: ${transformMetric("video", direction, "p50")}`)
    expect(metrics).toContain(`microphone and camera: ${FRAMES}`)
    expect(metrics).not.toContain(`microphone: ${FRAMES}`)
    expect(metrics).toContain(`microphone: ${PROCESSOR_RATIO}`)
    for (const metric of [CLICK, PUBLISH, ENTER, STROKE_SILENT, STROKE_CALL, STROKE_RATIO, CHAT_CALL, CHAT_RATIO])
      expect(metrics).toContain(`call: ${metric}`)
    expect(layersTable(figures)).not.toContain("?")
    expect(callExperiment.shows!.found(figures)).not.toContain("?")
  },
)
