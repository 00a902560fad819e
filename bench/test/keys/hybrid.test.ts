import { loadSodiumGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { expect, test } from "vitest"
import { compute } from "../../src/compute/compute.ts"
import { Conference } from "../../src/in-memory/conference.ts"
import { cost } from "../../src/cost/cost.ts"
import { costTable } from "../../src/cost/cost-table.ts"
import type { Figure } from "../../src/experiment/figure.ts"
import { kemsOf } from "../../src/in-memory/hybrid-agreement.ts"
import { hybridExperiment } from "../../src/hybrid/hybrid-experiment.ts"
import { Machine } from "../../src/experiment/machine.ts"
import { AGREEMENT, measureAgreement, measureRekey, TO_KEY } from "../../src/rekey/measure.ts"
import { find } from "../../src/experiment/story.ts"
import { expectSound } from "../sound.ts"

const kems = await kemsOf(["off", "hybrid"])
const kem = kems[1]!

test("a hybrid view counts one message more, no round, and one KEM operation a seal", () => {
  const figures = cost({ modules: ["tgdh"], sizes: [9], runs: 2 }, [2], kems)
  const of = (module: string, event: string, metric: string): number =>
    find(figures, { module, event, n: 9, metric })!.median
  for (const event of ["join", "leave", "refresh"]) {
    expect(of("tgdh hybrid", event, "rounds"), event).toBe(of("tgdh", event, "rounds"))
    expect(of("tgdh hybrid", event, "multicasts"), event).toBe(of("tgdh", event, "multicasts") + 1)
    expect(of("tgdh hybrid", event, "exponentiations"), event).toBe(of("tgdh", event, "exponentiations"))
  }
  // A key pair of the leader, a seal for each of seven others, and the slowest of them opens its own.
  expect(of("tgdh hybrid", "leave", "KEM operations")).toBe(1 + 7 + 1)
  expect(of("tgdh hybrid", "join", "KEM operations")).toBe(1 + 1 + 1)
  expect(find(figures, { module: "tgdh", metric: "KEM operations" })).toBeUndefined()
  expect(costTable(figures)).toMatch(/^TGDH HYBRID$/mu)
})

test("a hybrid conference has no key while the leader's seed is missing", () => {
  const conference = new Conference("bd", createToyGroup(32), kem)
  const { harness } = conference
  const ids = conference.start(3)
  const view = harness.install(harness.propose(ids))
  const seed = view.log.reduce((longest, each) => (each.bytes.length > longest.bytes.length ? each : longest))
  for (const id of ids) for (const from of ids) if (from !== seed.from) while (harness.deliverNext(id, from)) void 0
  const others = ids.filter((id) => id !== seed.from)
  for (const id of others) expect(harness.member(id).secret).toBeNull()
  for (const id of others) expect(harness.member(id).agreement.awaiting()).toContain(seed.from)
  harness.settle(ids)
  expect(() => conference.assertOneKey(ids)).not.toThrow()
})

test("times computing and agreement of both modes, with the membership too", async () => {
  const group = await loadSodiumGroup()
  const machine = new Machine(group)
  const computed = await compute({ modules: ["tgdh"], sizes: [4], runs: 1, postQuantum: ["off", "hybrid"] })
  expectSound("compute", computed)
  const leader = { module: "tgdh hybrid", event: "leave", metric: "leader of the post-quantum part" }
  expect(find(computed, leader)?.runs).toBe(1)
  const agreed = await measureAgreement("tgdh", group, machine, 4, ["lan"], 2, kems)
  const whole = await measureRekey("tgdh", group, machine, 2, ["lan"], 1, kem)
  expectSound("rekey", [...agreed, ...whole])
  for (const module of ["tgdh", "tgdh hybrid"])
    expect(find(agreed, { module, event: "leave", n: 4, metric: AGREEMENT })?.runs).toBe(2)
  expect(find(whole, { module: "tgdh hybrid", event: "join", metric: TO_KEY })).toBeDefined()
})

test("counts the bytes of a hybrid view once, and once for each receiver", async () => {
  const figures: Figure[] = []
  const options = { sizes: [5], runs: 1 }
  for await (const figure of hybridExperiment.run(options, () => {})) figures.push(figure)
  expectSound("hybrid", figures)
  for (const [event, n, receivers] of [
    ["join", 4, 4],
    ["leave", 5, 3],
    ["refresh", 5, 4],
  ] as const) {
    for (const module of ["tgdh", "tgdh hybrid"]) {
      const bytes = (how: string): number =>
        find(figures, { module, event, n, metric: `bytes of a view, ${how}` })!.median
      expect(bytes("a copy to each receiver"), `${module} ${event}`).toBe(receivers * bytes("each message once"))
    }
  }
  const seal = 1088 + 32 + 16
  const once = (module: string): number =>
    find(figures, { module, event: "leave", n: 5, metric: "bytes of a view, each message once" })!.median
  expect(once("tgdh hybrid") - once("tgdh")).toBeGreaterThan(3 * seal)
  expect(hybridExperiment.shows!.found(figures)).toContain("The rounds stay the same.")
})
