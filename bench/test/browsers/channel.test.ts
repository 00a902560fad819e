import { missingForLine } from "@keymoot/e2e/line"
import { expect, test, vi } from "vitest"
import { channelExperiment } from "../../src/channel/channel-experiment.ts"
import type { Figure } from "../../src/experiment/figure.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"
import { expectSound } from "../sound.ts"

const missing = missingForLine()
if (missing !== null) console.log(`Skipped: channel, over a line. ${missing}`)
const ON_ONE_MACHINE = [
  "agreed: ms",
  "agreed: ms",
  "safe: ms",
  "safe: ms",
  "agreed: per second",
  "bare: per second",
  "agreed: ratio",
  "crash: ms",
]
const OVER_LINE = ["agreed: per second", "bare: per second", "agreed: ratio"]

/** Figures of a quick run. */
async function collect(): Promise<Figure[]> {
  const figures: Figure[] = []
  const progress: number[] = []
  const run = channelExperiment.run({ runs: 1, quick: true }, (done, of) => progress.push(done / of))
  for await (const figure of run) figures.push(figure)
  expectSound("channel", figures)
  for (const { n } of figures) expect(n).toBe(2)
  expect([progress[0], progress.at(-1)]).toEqual([0, 1])
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  expect(channelExperiment.shows!.found(figures)).not.toContain("?")
  return figures
}

test.skipIf(noChromium("channel"))(
  "channel: browsers exchange messages, also over a line, and one survives a crash",
  { timeout: BROWSER_TIMEOUT_MS },
  async () => {
    const figures = await collect()
    expect(figures.map(({ event, unit }) => `${event ?? "bare"}: ${unit}`)).toEqual([
      ...ON_ONE_MACHINE,
      ...(missing === null ? OVER_LINE : []),
    ])
    const [toOther, toBoth, , , rate, raw, ratio, , overLine, rawOverLine, ratioOverLine] = figures.map(
      ({ median }) => median,
    )
    expect(toBoth).toBeGreaterThanOrEqual(toOther!)
    expect(ratio! / (rate! / raw!)).toBeCloseTo(1, 1)
    if (missing !== null) return
    expect(ratioOverLine! / (overLine! / rawOverLine!)).toBeCloseTo(1, 1)
    expect(new Set(figures.map(({ network }) => network)).size).toBe(2)
  },
)

test.skipIf(noChromium("channel"))(
  "channel: where a line cannot be had, that is said, and the rest is begun",
  async () => {
    const uid = vi.spyOn(process, "getuid").mockReturnValue(1000)
    const said = vi.spyOn(console, "error").mockReturnValue()
    try {
      const run = channelExperiment.run({ runs: 1, quick: true }, (done, of) => {
        throw new Error(`stopped at ${done} of ${of}`)
      }) as AsyncGenerator
      await expect(run.next()).rejects.toThrow("stopped at 0 of 1")
      expect(said.mock.calls).toEqual([
        [expect.stringMatching(/^Lines of 20 Mbit\/s are left out\. A line between two hosts /u)],
      ])
    } finally {
      uid.mockRestore()
      said.mockRestore()
    }
  },
)
