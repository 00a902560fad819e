import { expect, test } from "vitest"
import { compute, computeReport } from "../../src/compute/compute.ts"
import { cost, WITH_FLUSH } from "../../src/cost/cost.ts"
import { costTable } from "../../src/cost/cost-table.ts"
import type { Figure } from "../../src/experiment/figure.ts"
import { majorityCost } from "../../src/cost/majority-cost.ts"
import { randomTrees, treeEvent, TREES, type Tree } from "../../src/cost/random-trees.ts"
import { roleMetric, type Role } from "../../src/cost/roles.ts"
import { expectSound } from "../sound.ts"

const small = { sizes: [2, 9], runs: 2 }
const counted = cost(small, [2, 8])

function figure(module: string, event: string, n: number, metric: string, change?: number): Figure {
  const found = counted.find(
    (one) =>
      one.module === module &&
      one.event === event &&
      one.n === n &&
      one.metric === metric &&
      (change === undefined || one.change === change),
  )
  if (!found) throw new Error(`no figure for ${module} ${event} ${n} ${metric}`)
  return found
}

test("tgdh: eight leavers of 32 cost fewer rounds and messages than the papers'", () => {
  const many = cost({ modules: ["tgdh"], sizes: [32], runs: 3 }, [8]).filter(
    (one) => one.event === "partition" && one.change === 8,
  )
  const of = (metric: string): Figure => many.find((one) => one.metric === metric)!
  expect([of("rounds").paper, of("rounds").max]).toEqual([5, 3])
  expect([of("multicasts").paper, of("multicasts").max]).toEqual([10, 7])
})

test("the critical path is the longest chain, not the sum of what everybody does", () => {
  // Everybody multiplies twice, at the same time, and adds twice for each member.
  expect(figure("bd", "join", 9, "exponentiations").median).toBe(2)
  expect(figure("bd", "join", 9, "additions").median).toBe(20)
  expect(figure("bd", "join", 9, "signatures").median).toBe(1)
  expect(figure("bd", "join", 9, "verifications").median).toBe(9)
  // The controller multiplies for each other member, then each once, at the same time.
  expect(figure("ckd", "leave", 9, "exponentiations").median).toBe(8)
  // A token through two members, what the others return (the controller's own key meanwhile), n+m-1 partial keys, and everybody's own.
  expect(figure("gdh", "merge", 9, "exponentiations", 2).median).toBe(9 + 2 * 2 + 1)
  expect(figure("gdh", "merge", 9, "signatures", 2).median).toBe(5)
})

test("the flush is counted apart: one SYNC of each member, verified by each other", () => {
  for (const module of ["tgdh", "str", "bd", "gdh", "ckd"]) {
    expect(figure(module, "join", 9, "flush multicasts").median).toBe(10)
    expect(figure(module, "join", 9, "flush verifications").median).toBe(9)
    expect(figure(module, "join", 9, "flush exponentiations").median).toBe(module === "gdh" ? 0 : 1)
  }
})

test("counts flush and confirmations apart from the key agreement, and all together", () => {
  for (const module of ["tgdh", "str", "bd", "gdh", "ckd"]) {
    const of = (metric: string): number => figure(module, "join", 9, metric).median
    expect(of("confirmation multicasts")).toBe(10)
    expect(of("confirmation bytes")).toBe(320)
    expect(of(`rounds${WITH_FLUSH}`)).toBe(3 + of("rounds") + 1)
    // PROPOSE and INSTALL, a SYNC of each, and a confirmation of each.
    expect(of(`messages${WITH_FLUSH}`)).toBe(2 + 10 + of("multicasts") + of("unicasts") + 10)
  }
})

test("exponentiations are counted by role when somebody joins or leaves", () => {
  const of = (module: string, event: string, role: Role): number => figure(module, event, 9, roleMetric(role)).median
  // The controller seals for each other member; each other member opens one seal.
  expect(of("ckd", "leave", "controller or sponsor")).toBe(7)
  expect(of("ckd", "leave", "another member")).toBe(1)
  expect(of("ckd", "join", "newcomer")).toBe(1)
  expect(of("gdh", "join", "newcomer")).toBeGreaterThan(9)
  expect(of("tgdh", "join", "another member")).toBeLessThan(of("tgdh", "join", "newcomer"))
  // Under BD everybody sends, and nobody is another member.
  expect(() => of("bd", "join", "another member")).toThrow("no figure")
  expect(figure("gdh", "leave", 9, roleMetric("controller or sponsor")).paper).toBe(9)
})

test("tgdh: a random tree makes joins cheaper and leaves dearer than a balanced one", () => {
  const figures = randomTrees([16], 3)
  expectSound("cost", figures)
  const of = (tree: Tree, event: "join" | "leave", metric: string): Figure =>
    figures.find((one) => one.event === treeEvent(event, tree) && one.metric === metric)!
  for (const tree of TREES) {
    for (const event of ["join", "leave"] as const) expect(of(tree, event, "rounds").max).toBe(1)
  }
  const [balanced, random] = TREES
  expect(of(random, "join", "exponentiations").min).toBeLessThan(of(balanced, "join", "exponentiations").min)
  expect(of(random, "leave", "exponentiations").max).toBeGreaterThan(of(balanced, "leave", "exponentiations").max)
})

test("majority costs a fixed roster six rounds, with all or with a bare majority there", async () => {
  const figures = await majorityCost([5])
  const of = (event: string, metric: string): number =>
    figures.find((one) => one.event === event && one.metric === metric)!.median
  for (const event of ["key, all present", "key, just a majority"]) expect(of(event, "rounds")).toBe(6)
  // A contribution from each to each, and an estimate and a reply to the coordinator; an offer and an announcement of each, and a proposal.
  expect(of("key, all present", "unicasts")).toBe(5 * 4 + 2 * 4)
  expect(of("key, all present", "multicasts")).toBe(2 * 5 + 1)
  expect(of("key, just a majority", "unicasts")).toBe(3 * 2 + 2 * 2)
  expect(of("key, just a majority", "multicasts")).toBe(2 * 3 + 1)
  expect(costTable(figures)).toMatch(/^key, all present +5 +6 +28 +11 /m)
})

test("has units for each count, which grows with the members where it must", async () => {
  expectSound("cost", [...counted, ...(await majorityCost([5]))])
  for (const [module, event, metric] of [
    ["gdh", "join", "exponentiations"],
    ["ckd", "leave", "exponentiations"],
    ["str", "leave", "bytes"],
    ["bd", "join", "verifications"],
    ["tgdh", "leave", "exponentiations"],
  ] as const)
    expect(figure(module, event, 9, metric).min, `${module} ${event} ${metric}`).toBeGreaterThan(
      figure(module, event, 2, metric).max,
    )
})

test("the same conference is counted the same twice", () => {
  expect(cost({ ...small, modules: ["tgdh"] }, [2, 8])).toEqual(counted.filter(({ module }) => module === "tgdh"))
})

test("the table has a row for each event and size, the papers' figures in brackets", () => {
  const table = costTable(counted.filter(({ module }) => module === "tgdh"))
  expect(table).toMatch(/^TGDH$/m)
  expect(table).toMatch(/^leave +9 +1 \(1\) +0 \(0\) +1 \(1\)/m)
  expect(table).toMatch(/^partition of 2 +9 /m)
  expect(table).toMatch(/^refresh +2 +1 /m)
})

test("computing is measured for each role, and beside ts-mls", async () => {
  const figures = await compute({ sizes: [4], runs: 2, modules: ["tgdh", "bd", "majority"] })
  expectSound("compute", figures)
  for (const one of figures) expect(one.runs, one.metric).toBeGreaterThanOrEqual(2)
  const of = (wanted: string): (string | undefined)[] =>
    figures.filter(({ module }) => module === wanted).map(({ event, metric }) => `${event}: ${metric}`)
  expect(of("tgdh")).toContain("leave: sponsor, with signatures")
  expect(of("tgdh")).toContain("join: newcomer, from the sponsor's message on")
  for (const event of ["leave", "join", "refresh", "a third leaves", "a third comes back"]) {
    expect(of("tgdh")).toContain(`${event}: longest step of anybody`)
  }
  expect(of("bd")).toContain("any: each member")
  expect(of("majority")).toContain("session: a member, with signatures")
  expect(of("tgdh")).toContain("leave: slowest other, longest step")
  expect(of("ts-mls 1.6.4")).toEqual([
    "leave: make a removal",
    "leave: process a removal",
    "leave: times tgdh's sponsor with signatures",
    "leave: times tgdh's slowest other with signatures",
  ])
  expect(computeReport(figures)).toContain("this machine")
})
