import { expect, test } from "vitest"
import type { Figure } from "../../src/experiment/figure.ts"
import { CONTESTANTS } from "../../src/peers/contestants.ts"
import { messages } from "../../src/peers/messages.ts"
import { CHANGE_LATENCY, CHANGE_RATE, DROPS, KEYMOOT, LATENCY, MADE, PROCESSED, RATE } from "../../src/peers/metrics.ts"
import { missingOpenMls, openMlsPeers } from "../../src/peers/openmls.ts"
import { removals } from "../../src/peers/removals.ts"
import { peersExperiment } from "../../src/peers/peers-experiment.ts"
import { find } from "../../src/experiment/story.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "./browser.ts"
import { expectSound } from "../sound.ts"

const missing = missingOpenMls()
if (missing !== null) console.log(missing)
/** All of them take longer than a test should: `npm run test:deep` has them. */
const contestants =
  process.env["PEERS"] === "all"
    ? CONTESTANTS
    : CONTESTANTS.filter(({ name }) => ["trystero", "keymootAgreed", "yWebrtc"].includes(name))

async function collect(figures: AsyncIterable<Figure>): Promise<Figure[]> {
  const all: Figure[] = []
  for await (const figure of figures) all.push(figure)
  return all
}

test("a removal is processed under TGDH and MLS alike; of two members, none is left", async () => {
  const figures = await collect(removals([2, 5], 2, () => {}, openMlsPeers))
  expectSound("peers", figures)
  const modules = [...new Set(figures.map(({ module }) => module!))]
  expect(modules.slice(0, 2)).toEqual([KEYMOOT, "ts-mls 1.6.4"])
  expect(modules.length).toBe(missing === null ? 6 : modules.length)
  for (const module of modules) {
    for (const [n, metric] of [
      [2, MADE],
      [5, MADE],
      [5, PROCESSED],
    ] as const) {
      const figure = find(figures, { module, n, metric })!
      expect([figure.unit, figure.runs], `${module} ${n} ${metric}`).toEqual(["ms", 2])
      expect(figure.min).toBeGreaterThan(0)
    }
    expect(find(figures, { module, n: 2, metric: PROCESSED })).toBeUndefined()
  }
})

test.skipIf(noChromium("messages beside other libraries"))(
  "every compared library carries messages between browsers, in the same units",
  { timeout: BROWSER_TIMEOUT_MS },
  async () => {
    const figures = await collect(messages({ runs: 1, roundTrips: 5, forMs: 100 }, () => {}, contestants))
    expectSound("peers", figures)
    for (const { module, work } of contestants) {
      const [latency, rate] = work === "messages" ? [LATENCY, RATE] : [CHANGE_LATENCY, CHANGE_RATE]
      expect(find(figures, { module, metric: latency })).toMatchObject({ unit: "ms", runs: 5, n: 2 })
      expect(find(figures, { module, metric: latency })!.min).toBeGreaterThan(0)
      expect(find(figures, { module, metric: rate })).toMatchObject({ unit: "per second", runs: 1 })
      expect(find(figures, { module, metric: rate })!.min, module).toBeGreaterThan(0)
    }
    const drops = figures.filter(({ metric }) => metric === DROPS)
    expect(drops.length).toBe(process.platform === "linux" ? contestants.length : 0)
    expect(figures.length - drops.length).toBe(2 * contestants.length)
  },
)

test("says how many datagrams were dropped where they are counted", () => {
  const spread = { runs: 2, min: 0, median: 1, p95: 7, max: 7 }
  const counted: Figure = { experiment: "peers", module: "one", metric: DROPS, unit: "count", ...spread }
  const rate: Figure = { ...counted, metric: RATE, unit: "per second" }
  expect(peersExperiment.shows!.found([rate, counted])).toContain("one: 0–7")
  expect(peersExperiment.shows!.found([rate])).not.toContain("dropped")
})

test("names the winner, and what each contestant leaves undone", () => {
  const figure = (module: string, median: number): Figure => {
    const spread = { runs: 1, min: median, median, p95: median, max: median }
    return { experiment: "peers", module, metric: MADE, unit: "ms", n: 100, ...spread }
  }
  const { found, why } = peersExperiment.shows!
  const text = `in ms:\n\n- OpenMLS: 1 (1–1)\n- ${KEYMOOT}: 2 (2–2)\n\nA peer wins`
  expect(found([figure(KEYMOOT, 2), figure("OpenMLS", 1)])).toContain(text)
  expect(found([figure(KEYMOOT, 1), figure("OpenMLS", 2)])).not.toContain("A peer wins")
  for (const { module, lacks } of CONTESTANTS) expect(why).toContain(`${module}: ${lacks}`)
})

test("a rate whose runs differ more than tenfold is reported as not measured", () => {
  const rate = (module: string, [min, median, max]: readonly [number, number, number]): Figure => {
    return { experiment: "peers", module, metric: RATE, unit: "per second", n: 2, runs: 3, min, median, p95: max, max }
  }
  const figures = [rate("keymoot, fifo", [500, 900, 1000]), rate("data channel", [27.3, 7021.8, 16_339.4])]
  const { found, plots } = peersExperiment.shows!
  const text = found(figures)
  expect(text).toContain("keymoot, fifo: 900 (500–1000)")
  expect(text).toContain("data channel: not measured, runs from 27.3 to 16339.4 per second")
  expect(text).not.toContain("7021.8")
  expect(text).not.toContain("A peer wins")
  const shown = plots.flatMap((plot) => figures.filter((figure) => plot.of(figure)))
  expect(shown.map(({ module }) => module)).toEqual(["keymoot, fifo"])
})
