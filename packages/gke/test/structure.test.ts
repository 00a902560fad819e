import * as fc from "fast-check"
import { expect, test } from "vitest"
import { describeKeyTree } from "@keymoot/gke"
import type { KeyTree, MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed } from "./harness.ts"

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

test("newcomers go to the shallowest, rightmost place that does not raise the tree, else to the root", () => {
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

test("from any tree, one insertion or one removal takes one round, and so does a refresh", () => {
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

test("a public state that nobody attached, because its carrier has reloaded, costs one round more", () => {
  const harness = harnessOf("abcdef")
  harness.change(ids("abcdef"))
  harness.start("f")
  expect(harness.change(ids("abcdef")).rounds).toBe(1)
  harness.start("a")
  expect(harness.change(ids("abcdef")).rounds).toBe(2)
  expect(harness.faults).toEqual([])
})

test("blinded keys that overtake the public state they build on are kept until it comes", () => {
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

test("shares are refreshed oldest first when the same members go on, each in its turn", () => {
  const harness = harnessOf("abcd")
  harness.change(ids("abcd"))
  const refreshed: string[] = []
  for (let i = 0; i < 4; i++) {
    const before = ages(harness)
    harness.change(ids("abcd"))
    const after = ages(harness)
    refreshed.push([..."abcd"].filter((name) => after[name] !== before[name]).join())
  }
  expect(refreshed).toEqual(["a", "b", "c", "d"])
})

function ages(harness: Harness): Record<string, number> {
  const state = describeKeyTree("tgdh", group, harness.member(memberNamed("a")).agreement.publicState().bytes)!
  const leaves = (tree: KeyTree): [string, number][] =>
    "member" in tree ? [[drawn(tree), tree.sinceEpoch]] : [...leaves(tree.left), ...leaves(tree.right)]
  return Object.fromEntries(leaves(state.tree))
}

test("a tree that is too high for its leaves is built anew, but never at the cost of a single leaver's one round", () => {
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
