import * as fc from "fast-check"
import { expect, test } from "vitest"
import { type Element, type MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import type { Cluster } from "../../src/clusters/claims.ts"
import type { Publication } from "../../src/key-tree/shape.ts"
import { completeTree, leafOf, leavesOf, type Node } from "../../src/key-tree/tree.ts"
import { tgdhShape } from "../../src/tgdh/tgdh-shape.ts"
import { Harness, memberNamed } from "../harness.ts"
import { describeKeyTree, type KeyTree } from "./describe-key-tree.ts"

const group = createToyGroup()
const ids = (names: string): MemberId[] => [...names].map(memberNamed)

function harnessOf(names: string): Harness {
  const harness = new Harness(group, { seed: names })
  for (const name of names) harness.start(name)
  return harness
}

function stateOf(harness: Harness, name: string): { height: number; tree: string } {
  const state = describeKeyTree("tgdh", group, harness.member(memberNamed(name)).agreement.publicState().bytes)!
  return { height: state.height, tree: drawn(state.tree) }
}

function drawn(tree: KeyTree): string {
  if ("member" in tree) return String.fromCodePoint(Number.parseInt(tree.member.slice(0, 2), 16))
  return `(${drawn(tree.left)}${drawn(tree.right)})`
}

test("newcomers go to the shallowest rightmost place that keeps the height, or root", () => {
  const harness = harnessOf("abcdefgh")
  const trees = [..."abcdefgh"].map((_, i) => {
    harness.change(ids("abcdefgh".slice(0, i + 1)))
    return stateOf(harness, "a").tree
  })
  expect(trees).toEqual([
    "a",
    "(ab)",
    "((ab)c)",
    "((ab)(cd))",
    "(((ab)(cd))e)",
    "(((ab)(cd))(ef))",
    "(((ab)(cd))((ef)g))",
    "(((ab)(cd))((ef)(gh)))",
  ])
})

test("a leaver's sibling takes its parent's place", () => {
  const harness = harnessOf("abcdefgh")
  harness.change(ids("abcdefgh"))
  harness.change(ids("abcdegh"))
  expect(stateOf(harness, "a").tree).toBe("(((ab)(cd))(e(gh)))")
  harness.change(ids("abegh"))
  expect(stateOf(harness, "a").tree).toBe("((ab)(e(gh)))")
})

test("two halves that meet again keep their own halves of the tree", () => {
  const harness = harnessOf("abcdefgh")
  harness.change(ids("abcdefgh"))
  harness.change(ids("abcde"))
  harness.change(ids("fgh"))
  harness.change(ids("abcdefgh"))
  expect(stateOf(harness, "h").tree).toBe("((((ab)(cd))e)(f(gh)))")
})

test("one insertion, removal or refresh takes one round, from any tree", () => {
  const names = "abcdefghijklmnop"
  const membership = fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 15 })
  const property = fc.property(fc.array(membership, { minLength: 1, maxLength: 4 }), fc.nat(100), (earlier, choice) => {
    const harness = harnessOf(names)
    for (const members of earlier) harness.change(ids(members.join("")))
    const present = earlier.at(-1)!
    const absent = [...names].filter((name) => !present.includes(name))
    expect(harness.change(ids(present.join(""))).rounds).toBe(1)
    const newcomer = absent[choice % absent.length]!
    expect(harness.change(ids([...present, newcomer].join(""))).rounds).toBe(1)
    const leaver = present[choice % present.length]!
    const remaining = [...present, newcomer].filter((name) => name !== leaver)
    expect(harness.change(ids(remaining.join(""))).rounds).toBe(1)
  })
  fc.assert(property, { numRuns: 40 })
})

test("k newcomers at once take at most log2 k rounds, and one", () => {
  for (const k of [1, 2, 3, 4, 7, 8, 12]) {
    const harness = harnessOf("abcdefghijklmnop")
    harness.change(ids("abcd"))
    const { rounds } = harness.change(ids("abcdefghijklmnop".slice(0, 4 + k)))
    expect(rounds).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(k)))
  }
})

test("a public state missing because its carrier reloaded costs one round more", () => {
  const harness = harnessOf("abcdef")
  harness.change(ids("abcdef"))
  harness.start("f")
  expect(harness.change(ids("abcdef")).rounds).toBe(1)
  harness.start("a")
  expect(harness.change(ids("abcdef")).rounds).toBe(2)
  expect(harness.faults).toEqual([])
})

test("blinded keys that arrive before their public state are buffered", () => {
  const harness = harnessOf("abcdef")
  harness.change(ids("abcdef"))
  const newcomer = harness.start("a")
  const view = harness.install(harness.propose(ids("abcdef")))
  const [carrier, sponsor] = [memberNamed("b"), view.log.find(({ from }) => from !== memberNamed("b"))!.from]
  expect(sponsor).not.toBe(newcomer)
  harness.deliverNext(newcomer, sponsor)
  expect(harness.member(newcomer).secret).toBeNull()
  harness.deliverNext(newcomer, carrier)
  harness.settle()
  expect(harness.faults).toEqual([])
  expect(new Set(view.members.map((id) => harness.member(id).secret?.secret)).size).toBe(1)
  expect(harness.member(newcomer).secret).not.toBeNull()
})

test("the oldest share and its sibling's refresh in turn when the members stay", () => {
  const harness = harnessOf("abcde")
  harness.change(ids("abcde"))
  expect(stateOf(harness, "a").tree).toBe("(((ab)(cd))e)")
  const refreshed: string[] = []
  for (let i = 0; i < 4; i++) {
    const before = ages(harness)
    expect(harness.change(ids("abcde")).view.log).toHaveLength(1)
    const after = ages(harness)
    refreshed.push([..."abcde"].filter((name) => after[name] !== before[name]).join())
  }
  expect(refreshed).toEqual(["a,b", "c,d", "e", "a,b"])
})

/** The structure alone, which does not depend on keys: who is where, since when, and who publishes what. */
function changed(
  tree: Node | null,
  members: readonly MemberId[],
  epoch: number,
): { readonly tree: Node; readonly publications: readonly Publication[] } {
  const staying = new Set(tree ? leavesOf(tree).map(({ owner }) => owner) : [])
  const remaining = members.filter((member) => staying.has(member)).sort()
  const clusters: Cluster<Node>[] = members
    .filter((member) => !staying.has(member))
    .map((member) => ({ members: [member], state: null }))
  if (remaining.length > 0) clusters.push({ members: remaining, state: tree })
  const blinded = new Uint8Array(32) as Element
  const arrangement = tgdhShape.arrange(clusters, (owner) => leafOf(owner, blinded, epoch))
  return { ...arrangement, tree: completeTree(arrangement.tree, () => blinded) }
}

/** Members that came one by one. */
function grownTo(n: number): Node {
  let tree: Node | null = null
  for (let i = 1; i <= n; i++) ({ tree } = changed(tree, crowd.slice(0, i), i))
  return tree!
}

const crowd = Array.from({ length: 320 }, (_, i) => memberNamed(i.toString(36).padStart(2, "0")))

test("sixty refreshes renew every share of up to 300 members, after any changes", () => {
  for (const n of [2, 59, 60, 61, 100, 120, 121, 180, 300]) {
    let tree = grownTo(n)
    // Some leave and others come: the tree is no longer full.
    const members = crowd.slice(0, n + 20).filter((_, i) => i % 7 !== 3 || i >= n)
    for (const last of [n, n + 10, n + 20]) {
      const present = members.filter((member) => crowd.indexOf(member) < last)
      tree = changed(tree, present, 400 + last).tree
    }
    for (let minute = 1; minute <= 60; minute++) ({ tree } = changed(tree, members, 1000 + minute))
    expect(Math.min(...leavesOf(tree).map(({ sinceEpoch }) => sinceEpoch)), `n=${n}`).toBeGreaterThan(1000)
  }
})

test("a refresh takes one round and message up to 60 members, else three and five", () => {
  for (const [n, rounds, messages] of [
    [2, 1, 1],
    [60, 1, 1],
    [100, 2, 2],
    [300, 3, 5],
  ] as const) {
    let tree = grownTo(n)
    for (let epoch = n + 1; epoch <= n + 200; epoch++) {
      const refreshed = changed(tree, crowd.slice(0, n), epoch)
      const { publications } = refreshed
      expect(publications.length, `n=${n}`).toBeLessThanOrEqual(messages)
      expect(Math.max(...publications.map(({ round }) => round)), `n=${n}`).toBeLessThanOrEqual(rounds)
      tree = refreshed.tree
    }
  }
})

test("up to eight of 2 to 64 leave within the paper's h rounds and 2h messages", () => {
  const property = fc.property(
    fc.integer({ min: 2, max: 64 }),
    fc.array(fc.nat(), { maxLength: 40 }),
    fc.uniqueArray(fc.nat(63), { minLength: 1, maxLength: 8 }),
    (n, history, leavers) => {
      let { tree } = changed(null, crowd.slice(0, n), 1)
      let members = crowd.slice(0, n)
      for (const [i, choice] of history.entries()) {
        members = [...members.filter((_, at) => at !== choice % members.length), crowd[n + i]!]
        ;({ tree } = changed(tree, members, 2 + i))
      }
      const remaining = members.filter((_, at) => !leavers.includes(at))
      fc.pre(remaining.length >= 2 && remaining.length < n)
      const { publications } = changed(tree, remaining, 100)
      const h = Math.ceil(Math.log2(n))
      expect(publications.length).toBeLessThanOrEqual(Math.min(n - remaining.length, 2 * h))
      for (const { round } of publications) expect(round).toBeLessThanOrEqual(h)
      // Each speaks once.
      expect(new Set(publications.map(({ sponsor }) => sponsor)).size).toBe(publications.length)
    },
  )
  fc.assert(property, { numRuns: 300 })
})

test("a newcomer does not speak where somebody can who has the public state already", () => {
  const harness = harnessOf("abcdefgh")
  harness.change(ids("abcdefg"))
  // h fills the gap beside g.
  const { view } = harness.change(ids("abcdefgh"))
  expect(stateOf(harness, "a").tree).toBe("(((ab)(cd))((ef)(gh)))")
  expect(view.log.map(({ from }) => from)).toEqual(ids("g"))
})

function ages(harness: Harness): Record<string, number> {
  const state = describeKeyTree("tgdh", group, harness.member(memberNamed("a")).agreement.publicState().bytes)!
  const leaves = (tree: KeyTree): [string, number][] =>
    "member" in tree ? [[drawn(tree), tree.sinceEpoch]] : [...leaves(tree.left), ...leaves(tree.right)]
  return Object.fromEntries(leaves(state.tree))
}

test("a tree too high for its leaves is rebuilt, but not for one leaver", () => {
  const names = Array.from({ length: 64 }, (_, i) => String.fromCodePoint(0x30 + i))
  const harness = harnessOf(names.join(""))
  const heightWith = (places: readonly number[]): { height: number; rounds: number } => {
    const { rounds } = harness.change(ids(places.map((place) => names[place]!).join("")))
    return { height: stateOf(harness, names[0]!).height, rounds }
  }
  expect(heightWith([...names.keys()]).height).toBe(6)
  // One leaf stays in each sibling of the leftmost path, and two more that keep the tree within its limit.
  const path = [0, 1, 2, 4, 8, 16, 32]
  expect(heightWith([...path, 33, 34]).height).toBe(6)
  expect(heightWith([...path, 33])).toEqual({ height: 6, rounds: 1 })
  expect(heightWith(path)).toEqual({ height: 6, rounds: 1 })
  expect(heightWith(path)).toEqual({ height: 3, rounds: 2 })
  expect(heightWith(path)).toEqual({ height: 3, rounds: 1 })
  expect(harness.faults).toEqual([])
})
