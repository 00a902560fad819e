import { expect, test } from "vitest"
import { type MemberId, type PrimeOrderGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed, type View } from "../harness.ts"
import { describeKeyTree, type KeyTree } from "./describe-key-tree.ts"
import { createKeyTreeCodec } from "../../src/key-tree/tree-codec.ts"
import { branchOf, leafOf, type Node } from "../../src/key-tree/tree.ts"
import { strShape } from "../../src/str/str-shape.ts"

const group = createToyGroup()
const codec = createKeyTreeCodec(group, strShape)
const ids = (names: string): MemberId[] => [...names].map(memberNamed)
const nameOf = (id: MemberId): string => String.fromCodePoint(Number.parseInt(id.slice(0, 2), 16))

function harnessOf(names: string): Harness {
  const harness = new Harness(group, { seed: names, module: "str" })
  for (const name of names) harness.start(name)
  return harness
}

/** The chain from its bottom, each member with the epoch of its share. */
function chainOf(harness: Harness, name: string): string {
  const { bytes } = harness.member(memberNamed(name)).agreement.publicState()
  const members: string[] = []
  let at: KeyTree = describeKeyTree("str", group, bytes)!.tree
  const shown = (leaf: KeyTree): string => ("member" in leaf ? `${nameOf(leaf.member)}${leaf.sinceEpoch}` : "a branch")
  for (; !("member" in at); at = at.left) members.push(shown(at.right))
  return [shown(at), ...members.toReversed()].join(" ")
}

const sendersOf = (view: View): string => view.log.map(({ from }) => nameOf(from)).join("")

test("puts a newcomer on top, and the topmost old member refreshes and publishes", () => {
  const harness = harnessOf("abcde")
  harness.change(ids("abcd"))
  expect(sendersOf(harness.change(ids("abcde")).view)).toBe("d")
  expect(chainOf(harness, "e")).toBe("a1 b1 c1 d2 e2")
})

test("after a leave the member below publishes, and all above have fresh shares", () => {
  const harness = harnessOf("abcdef")
  harness.change(ids("abcdef"))
  expect(sendersOf(harness.change(ids("abcef")).view)).toBe("c")
  expect(chainOf(harness, "a")).toBe("a1 b1 c2 e2 f2")
})

test("the lowest of several leavers counts, or the lowest member if the bottom left", () => {
  const harness = harnessOf("abcdef")
  harness.change(ids("abcdef"))
  expect(sendersOf(harness.change(ids("abdf")).view)).toBe("b")
  expect(chainOf(harness, "a")).toBe("a1 b2 d2 f2")
  expect(sendersOf(harness.change(ids("bdf")).view)).toBe("b")
  expect(chainOf(harness, "b")).toBe("b3 d3 f3")
  expect(sendersOf(harness.change(ids("df")).view)).toBe("d")
})

test("clusters stack, larger first, each in its own order", () => {
  const harness = harnessOf("abcdefghi")
  harness.change(ids("bad"))
  harness.change(ids("abd"))
  harness.change(ids("gh"))
  harness.change(ids("efgh"))
  expect(chainOf(harness, "g")).toBe("g3 h4 e4 f4")
  expect(sendersOf(harness.change(ids("abdefghci")).view)).toBe("f")
  expect(chainOf(harness, "a")).toBe("g3 h4 e4 f5 a5 b5 d5 c5 i5")
  expect(harness.faults).toEqual([])
})

test("refreshes the oldest share and all above when the same members continue", () => {
  const harness = harnessOf("abcd")
  harness.change(ids("abcd"))
  harness.change(ids("abc"))
  expect(chainOf(harness, "a")).toBe("a1 b1 c2")
  expect(sendersOf(harness.change(ids("abc")).view)).toBe("a")
  expect(chainOf(harness, "a")).toBe("a3 b3 c3")
})

test("all at or below a sponsor's place detect its wrong key, and none completes", () => {
  // After e has left, d publishes the keys at the places of d, f, g and h.
  for (const [position, below] of ["abc", "abcf", "abcfg", "abcfgh"].entries()) {
    const harness = harnessOf("abcdefgh")
    harness.change(ids("abcdefgh"))
    const before = harness.secrets.length
    const view = harness.install(harness.propose(ids("abcdfgh")))
    const [sent] = view.log
    const message = codec.decodeMessage(sent!.bytes)
    if (message?.kind !== "keys" || sent!.from !== memberNamed("d")) throw new Error("not d's publication")
    expect(message.blinded).toHaveLength(4)
    const wrong = group.multiplyBase(group.randomScalar(harness.random()))
    const bytes = codec.encodeMessage({ ...message, blinded: message.blinded.with(position, wrong) })
    view.log[0] = { ...sent!, bytes }
    harness.settle(view.members)
    for (const at of ids(below)) expect(harness.faults).toContainEqual({ at, member: sent!.from, reason: "wrong-key" })
    expect(harness.faults.every(({ member }) => member === sent!.from)).toBe(true)
    const completed = harness.secrets.slice(before).map(({ member }) => nameOf(member))
    expect(completed.filter((name) => below.includes(name))).toEqual([])
    harness.faults.length = 0
    harness.change(ids("abcfgh"))
    expect(harness.faults).toEqual([])
    expect(new Set(ids("abcfgh").map((id) => harness.member(id).secret?.secret)).size).toBe(1)
  }
})

test("some member blames the sponsor for any flipped bit, and gets no secret", () => {
  const publication = (): { harness: Harness; view: View } => {
    const harness = harnessOf("abcde")
    harness.change(ids("abcde"))
    return { harness, view: harness.install(harness.propose(ids("acde"))) }
  }
  const { length } = publication().view.log[0]!.bytes
  for (let bit = 0; bit < 8 * length; bit++) {
    const { harness, view } = publication()
    const { bytes, from } = view.log[0]!
    // c stands right above the sponsor: every key published is on its path.
    harness.inject(memberNamed("c"), from, bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7))))
    expect(harness.faults.map(({ member }) => member)).toEqual([from])
    expect(harness.member(memberNamed("c")).secret).toBeNull()
  }
})

/** Cost of a view for the member that computes most. */
test("a join costs the same in any group, a leave grows with who stands above", () => {
  const multiplied = (before: number, leaver: number | null): number => {
    const counts: number[] = []
    const counting = (index: number): PrimeOrderGroup => ({
      ...group,
      multiplyEncoded: (e, s) => {
        counts[index] = (counts[index] ?? 0) + 1
        return group.multiplyEncoded(e, s)
      },
    })
    const harness = new Harness(group, { module: "str" })
    const all = Array.from({ length: before }, (_, i) => harness.start(`m${i + 10}`, counting(i)))
    harness.change(all)
    const next = leaver === null ? [...all, harness.start("newcomer")] : all.toSpliced(leaver, 1)
    counts.fill(0)
    harness.change(next)
    return Math.max(...counts)
  }
  for (const before of [4, 16, 64]) {
    // The new key of the topmost old member, and the root's.
    expect(multiplied(before, null)).toBe(2)
    expect(multiplied(before, before - 1)).toBe(1)
    expect(multiplied(before, before / 2)).toBe(before / 2)
    expect(multiplied(before, 0)).toBe(before - 2)
  }
})

test("a tree that is no chain, or has too many in it, is not a state", () => {
  const element = group.multiplyBase(group.randomScalar(new Uint8Array(64).fill(7)))
  const leaf = (i: number): Node => leafOf(i.toString(16).padStart(32, "0") as MemberId, element, i)
  const chain = (members: number, from = 0): Node => {
    let tree = leaf(from)
    for (let i = 1; i < members; i++) tree = branchOf(tree, leaf(from + i), element)
    return tree
  }
  for (const members of [1, 2, 3, 1024]) {
    expect(codec.decodeState(codec.encodeState(chain(members)))).toEqual(chain(members))
  }
  expect(codec.decodeState(codec.encodeState(chain(1025)))).toBeNull()
  expect(codec.decodeState(codec.encodeState(branchOf(chain(2), chain(2, 2), element)))).toBeNull()
  expect(codec.decodeState(codec.encodeState(branchOf(leaf(0), chain(2, 1), element)))).toBeNull()
  expect(codec.decodeState(codec.encodeState(branchOf(leaf(0), leaf(0), element)))).toBeNull()
})

test("refuses keys for no node, or for more than there are", () => {
  const keys = (count: number): Uint8Array =>
    Uint8Array.of(1, 1, 1, count >> 8, count & 0xff, ...new Uint8Array(count * 8))
  expect(codec.decodeMessage(keys(1))).not.toBeNull()
  expect(codec.decodeMessage(keys(1023))).not.toBeNull()
  expect(codec.decodeMessage(keys(1024))).toBeNull()
  expect(codec.decodeMessage(keys(0))).toBeNull()
})
