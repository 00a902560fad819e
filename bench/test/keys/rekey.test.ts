import { loadSodiumGroup } from "@keymoot/gke"
import { defaultTimes } from "@keymoot/transport"
import { afterEach, expect, test, vi } from "vitest"
import { cost } from "../../src/cost/cost.ts"
import type { Options } from "../../src/experiment/experiment.ts"
import type { Figure } from "../../src/experiment/figure.ts"
import { Machine } from "../../src/experiment/machine.ts"
import { delaysOf } from "../../src/experiment/networks.ts"
import { rekeyExperiment } from "../../src/rekey/rekey-experiment.ts"
import { SimulatedConference } from "../../src/rekey/conference.ts"
import { AGREEMENT, measureAgreement, measureRekey, TO_KEY, TO_VIEW } from "../../src/rekey/measure.ts"
import { find } from "../../src/experiment/story.ts"
import { expectSound } from "../sound.ts"

afterEach(() => void vi.restoreAllMocks())

/** Computing takes little, as measured. On a busy machine members would be taken for late. */
function tickSteadily(): void {
  let nowMs = 0
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 0.01))
}

async function run(options: Options, seen: number[] = []): Promise<Figure[]> {
  const figures: Figure[] = []
  for await (const figure of rekeyExperiment.run(options, (done, of) => seen.push(done / of))) figures.push(figure)
  return figures
}

test("an agreement takes the cost table's rounds when only the network takes time", async () => {
  // One way: so slow that what is computed is nothing beside it, on the busiest machine.
  const [network, oneWayMs] = ["100000", 50_000]
  const n = 8
  const group = await loadSodiumGroup()
  const counted = cost({ sizes: [n - 1, n], runs: 1 }, [4])
  for (const module of ["tgdh", "bd", "gdh"] as const) {
    const figures = await measureAgreement(module, group, new Machine(group), n, [network], 1)
    for (const [event, before] of [
      ["join", n - 1],
      ["leave", n],
    ] as const) {
      const rounds = find(counted, { module, event, n: before, metric: "rounds" })!.median
      const { median, unit } = find(figures, { module, event, n: before, metric: AGREEMENT })!
      expect([unit, Math.floor(median / oneWayMs)], `${module} ${event}`).toEqual(["ms", rounds])
    }
  }
})

test("bd takes twice as long when members are one more than the processors they share", async () => {
  const group = await loadSodiumGroup()
  // Each step takes a second: the network and signatures are nothing beside it.
  const second = () => 1000
  const at = async (n: number): Promise<number> => {
    const figures = await measureAgreement("bd", group, new Machine(group), n, ["lan/4"], 1, [null], second)
    return find(figures, { event: "join", metric: AGREEMENT })!.median
  }
  const [four, five] = [await at(4), await at(5)]
  expect(five / four).toBeGreaterThan(1.9)
})

test("takes no less time to the key than to the view, and three trips to the view", async () => {
  tickSteadily()
  const progress: number[] = []
  const modules = ["tgdh", "gdh"] as const
  const [near, far] = [
    await run({ sizes: [2, 4], modules, network: "1", runs: 2 }, progress),
    await run({ sizes: [4], modules, network: "600/2", runs: 1 }),
  ]
  expectSound("rekey", near)
  expect(progress[0]).toBe(0)
  expect(progress.at(-1)).toBe(1)
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  for (const module of modules) {
    for (const event of ["join", "leave", "partition", "merge"]) {
      const toKey = far.find((one) => one.module === module && one.event === event && one.metric === TO_KEY)!
      const at = (figures: Figure[], metric: string) => find(figures, { module, event, n: toKey.n!, metric })!
      expect(at(far, TO_KEY).median, `${module} ${event}`).toBeGreaterThanOrEqual(at(far, TO_VIEW).median)
      // A proposal, everybody's answer and the decision travel before a view.
      expect(at(far, TO_VIEW).median).toBeGreaterThan(3 * 300)
      expect(at(near, TO_VIEW).min).toBeGreaterThan(0)
      expect(at(near, TO_KEY).runs).toBe(2)
    }
  }
})

test("has one view, before the next heartbeat, when a member joins on a LAN", async () => {
  const group = await loadSodiumGroup()
  // Computing takes no time, so that clocks and the network alone decide.
  vi.spyOn(performance, "now").mockReturnValue(0)
  const conference = new SimulatedConference("tgdh", group, { signMs: 0, verifyMs: 0 })
  conference.delayMs = delaysOf("lan")
  conference.join(7)
  for (let joins = 0; joins < 20; joins++) {
    const { view } = conference.members[0]!
    const { keyMs } = conference.join(1)
    expect(keyMs, `join ${joins}`).toBeLessThan(defaultTimes.heartbeatMs)
    expect(conference.members[0]!.view.epoch, `join ${joins}`).toBe(view.epoch + 1)
    conference.leave(conference.members[joins % 7]!)
  }
})

test("cuts off two of three members when a cut is given", async () => {
  tickSteadily()
  const group = await loadSodiumGroup()
  const figures = await measureRekey("tgdh", group, new Machine(group), 3, ["wan"], 1, null, (place) => place > 0)
  expect(find(figures, { event: "partition", metric: TO_KEY })).toMatchObject({ n: 3, change: 2 })
  expect(find(figures, { event: "merge", metric: TO_KEY })).toMatchObject({ n: 1, change: 2 })
})

test("blames nobody when a newcomer joins within its first tick, late in a run", async () => {
  tickSteadily()
  const group = await loadSodiumGroup()
  const figures = await measureRekey("tgdh", group, new Machine(group), 4, ["lan"], 2)
  expect(find(figures, { event: "join", metric: TO_KEY })?.runs).toBe(2)
})

test("the wide network has the papers' three sites", () => {
  const oneWayMs = delaysOf("wan")
  // The first three places, and the first machine's second member.
  expect([oneWayMs(0, 1), oneWayMs(1, 2), oneWayMs(2, 0), oneWayMs(0, 13)]).toEqual([35, 150, 135, 0.05])
  expect(oneWayMs(3, 12)).toBe(delaysOf("lan")(0, 1))
  expect(delaysOf("70")(0, 1)).toBe(35)
  expect(delaysOf("wan/13")(0, 1)).toBe(35)
})
