import { expect, test } from "vitest"
import { channelExperiment } from "../src/channel-experiment.ts"
import type { Figure } from "../src/figure.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"
import { expectSound } from "./sound.ts"

test.skipIf(noChromium("channel"))(
  "channel: two browsers exchange agreed and safe messages, the bare channel carries bytes too, and after a crash the other goes on alone",
  { timeout: BROWSER_TIMEOUT_MS },
  async () => {
    const figures: Figure[] = []
    const progress: number[] = []
    const run = channelExperiment.run({ runs: 1, quick: true }, (done, of) => progress.push(done / of))
    for await (const figure of run) figures.push(figure)
    expect(figures.map(({ event, unit }) => `${event ?? "bare"}: ${unit}`)).toEqual([
      "agreed: ms",
      "agreed: ms",
      "safe: ms",
      "safe: ms",
      "agreed: per second",
      "bare: per second",
      "agreed: ratio",
      "crash: ms",
    ])
    expectSound("channel", figures)
    for (const { n } of figures) expect(n).toBe(2)
    const [toOther, toBoth, , , rate, raw, ratio] = figures.map(({ median }) => median)
    expect(toBoth).toBeGreaterThanOrEqual(toOther!)
    expect(ratio! / (rate! / raw!)).toBeCloseTo(1, 1)
    expect([progress[0], progress.at(-1)]).toEqual([0, 1])
    expect(channelExperiment.shows!.found(figures)).not.toContain("?")
  },
)
