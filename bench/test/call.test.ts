import { expect, test } from "vitest"
import { callExperiment } from "../src/call-experiment.ts"
import {
  ENTER,
  FRAMES,
  PROCESSOR_RATIO,
  PUBLISH,
  STROKE_CALL,
  STROKE_SILENT,
  transformMetric,
} from "../src/call/description.ts"
import type { Figure } from "../src/figure.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"
import { expectSound } from "./sound.ts"

const isDeep = process.env["CALLS"] === "measured"
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
    for (const metric of [PUBLISH, ENTER, STROKE_SILENT, STROKE_CALL]) expect(metrics).toContain(`call: ${metric}`)
    expect(callExperiment.shows!.found(figures)).not.toContain("?")
  },
)
