import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { derivableSecrets, publicElements, recording } from "./eavesdropper.ts"
import type { Recorded } from "./eavesdropper.ts"
import { Harness, memberNamed } from "./harness.ts"
import type { View } from "./harness.ts"
import { createKeyTreeCodec } from "../src/key-tree/codec.ts"
import { tgdhShape } from "../src/tgdh/shape.ts"

const group = createToyGroup()

type Played = {
  readonly harness: Harness
  readonly views: readonly View[]
  readonly minds: ReadonlyMap<MemberId, Recorded>
  /** How many scalars each member knew when a view had ended. */
  readonly knownAfter: readonly ReadonlyMap<MemberId, number>[]
}

/** Undisturbed views of the given members, each a string of names. */
function play(memberships: readonly string[]): Played {
  const harness = new Harness(group, { seed: memberships.join() })
  const minds = new Map<MemberId, Recorded>()
  for (const name of new Set(memberships.join(""))) {
    const mind = recording(group)
    minds.set(harness.start(name, mind.group), mind)
  }
  const knownAfter: Map<MemberId, number>[] = []
  const views = memberships.map((names) => {
    const { view } = harness.change([...names].map(memberNamed))
    knownAfter.push(new Map([...minds].map(([id, mind]) => [id, mind.copies.length])))
    return view
  })
  expect(harness.faults).toEqual([])
  return { harness, views, minds, knownAfter }
}

function secretOfView({ harness, views }: Played, index: number): string {
  return harness.secrets.find(({ view }) => view === views[index])!.secret
}

/** What these members can compute together from what they knew after a view, and all traffic from first to last. */
function derivable(played: Played, members: string, knownAfterView: number): Set<string> {
  const scalars = [...members].flatMap((name) => {
    const id = memberNamed(name)
    return played.minds.get(id)!.copies.slice(0, played.knownAfter[knownAfterView]!.get(id))
  })
  return derivableSecrets(group, scalars, publicElements(group, played.views))
}

test("the eavesdropper of these tests is no straw man: a member's scalars give him every secret of that member", () => {
  const played = play(["abcdef", "abcef", "abcefg", "abcefg"])
  for (const view of played.views.keys()) expect(derivable(played, "a", 3).has(secretOfView(played, view))).toBe(true)
})

test("a member that left computes no later secret, though it kept all its scalars and hears everything", () => {
  const played = play(["abcdef", "abdef", "abdefg", "bdefg", "bdefg"])
  const secrets = derivable(played, "c", 0)
  expect(secrets.has(secretOfView(played, 0))).toBe(true)
  for (const later of [1, 2, 3, 4]) expect(secrets.has(secretOfView(played, later))).toBe(false)
})

test("a newcomer computes no secret from before it came, though it recorded everything", () => {
  const played = play(["abcde", "abcd", "abcdf", "abcdfg", "abcfg"])
  const secrets = derivable(played, "g", 4)
  expect(secrets.has(secretOfView(played, 3))).toBe(true)
  for (const earlier of [0, 1, 2]) expect(secrets.has(secretOfView(played, earlier))).toBe(false)
})

test("members that left at different times compute nothing together, nor with newcomers for the time between", () => {
  const played = play(["abcdefgh", "abdefgh", "abdegh", "begh", "begh", "begi"])
  const together = derivable(played, "cfad", 2)
  for (const later of [3, 4, 5]) expect(together.has(secretOfView(played, later))).toBe(false)
  const scalars = [...derivable(played, "cfad", 2)]
  expect(scalars.includes(secretOfView(played, 0))).toBe(true)
  const members = ["c", "f", "a", "d"].map(memberNamed)
  const left = members.flatMap((id) => played.minds.get(id)!.copies.slice(0, played.knownAfter[2]!.get(id)))
  const newcomer = played.minds.get(memberNamed("i"))!.copies
  const all = derivableSecrets(group, [...left, ...newcomer], publicElements(group, played.views))
  expect(all.has(secretOfView(played, 3))).toBe(false)
  expect(all.has(secretOfView(played, 4))).toBe(false)
  expect(all.has(secretOfView(played, 5))).toBe(true)
})

test("whatever the views, who is outside of one computes nothing of it with those who are outside too", () => {
  const membership = fc
    .uniqueArray(fc.constantFrom(..."abcdefgh"), { minLength: 2, maxLength: 8 })
    .map((m) => m.sort().join(""))
  const property = fc.property(fc.array(membership, { minLength: 2, maxLength: 6 }), (memberships) => {
    const played = play(memberships)
    const elements = publicElements(group, played.views)
    for (const [index, names] of memberships.entries()) {
      const outside = [...played.minds].filter(([id]) => ![...names].map(memberNamed).includes(id))
      const scalars = outside.flatMap(([, mind]) => mind.copies)
      expect(derivableSecrets(group, scalars, elements).has(secretOfView(played, index))).toBe(false)
      const inside = played.minds.get(memberNamed(names[0]!))!.copies
      expect(derivableSecrets(group, inside, elements).has(secretOfView(played, index))).toBe(true)
    }
  })
  fc.assert(property, { numRuns: 40 })
})

test("a departed member that goes on being fed makes no secret of it", () => {
  const harness = new Harness(group)
  const all = [..."abcdef"].map((name) => harness.start(name))
  harness.change(all)
  const departed = all[2]!
  const before = harness.secrets.length
  const view = harness.change(all.filter((id) => id !== departed)).view
  for (const { from, bytes } of view.log) harness.inject(departed, from, bytes)
  expect(harness.secrets.slice(before).map(({ member }) => member)).not.toContain(departed)
  expect(harness.secrets.slice(before)).toHaveLength(5)
})

test("a sponsor that publishes a key of its own making for a node gains nothing by it once it is removed", () => {
  const harness = new Harness(group)
  const mind = recording(group)
  const all = [..."abcdefgh"].map((name) => harness.start(name, name === "g" ? mind.group : group))
  const insider = memberNamed("g")
  const views = [harness.change(all).view]
  const attacked = harness.install(harness.propose(all.slice(0, -1)))
  views.push(attacked)
  const sent = attacked.log[0]!
  expect(sent.from).toBe(insider)
  const codec = createKeyTreeCodec(group, tgdhShape)
  const message = codec.decodeMessage(sent.bytes)
  if (message?.kind !== "keys") throw new Error("a leave has one publication of keys")
  const chosen = group.randomScalar(harness.random())
  const blinded = message.blinded.with(0, group.multiplyBase(chosen))
  attacked.log[0] = { ...sent, bytes: codec.encodeMessage({ ...message, blinded }) }
  harness.settle(attacked.members)
  const remaining = all.slice(0, -2)
  views.push(harness.change(remaining).view, harness.change(remaining).view)
  const known = derivableSecrets(group, [...mind.copies, chosen], publicElements(group, views))
  const secretsOf = (view: View): string[] => harness.secrets.filter((s) => s.view === view).map((s) => s.secret)
  expect(known.has(secretsOf(views[0]!)[0]!)).toBe(true)
  for (const later of views.slice(2)) {
    expect(new Set(secretsOf(later)).size).toBe(1)
    expect(known.has(secretsOf(later)[0]!)).toBe(false)
  }
})

test("secrets of earlier epochs and of abandoned proposals are overwritten", () => {
  const harness = new Harness(group)
  const mind = recording(group)
  const all = [harness.start("a", mind.group), ...[..."bcdefgh"].map((name) => harness.start(name))]
  harness.change(all)
  const firstEpoch = mind.buffers.length
  expect(mind.buffers.some(isLive)).toBe(true)
  harness.propose(all)
  harness.install(harness.propose(all))
  harness.settle()
  for (const name of "hgfedcb") harness.change([...harness.members.keys()].filter((id) => id <= memberNamed(name)))
  harness.change([memberNamed("a")])
  expect(mind.buffers.slice(0, firstEpoch).filter(isLive)).toEqual([])
  // Alone, there is no branch whose key could be known, and the share of that view lives on as a copy only.
  expect(mind.buffers.filter(isLive)).toEqual([])
})

function isLive(buffer: Uint8Array): boolean {
  return buffer.some((byte) => byte !== 0)
}
