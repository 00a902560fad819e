import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { Element, KeyAgreementName, MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { derivableFromSeals, derivableInRing, derivableInTree, recording } from "./eavesdropper.ts"
import type { DerivableSecrets, Recorded } from "./eavesdropper.ts"
import { Harness, memberNamed, type View } from "../harness.ts"
import { createAttachmentCodec } from "../../src/clusters/attachment.ts"
import { nodeDomain } from "../../src/key-tree/climb.ts"
import { createKeyTreeCodec } from "../../src/key-tree/tree-codec.ts"
import { strShape } from "../../src/str/str-shape.ts"
import { tgdhShape } from "../../src/tgdh/tgdh-shape.ts"

const group = createToyGroup()
/** `npm run test:all` plays more. */
const MEMBERSHIPS = process.env["RUNS"] === "full" ? 40 : 8

/** `keepsShares`: whether a completed epoch holds secrets that the next one builds on. */
type Eavesdropped = {
  readonly name: KeyAgreementName
  readonly derivableSecrets: DerivableSecrets
  readonly keepsShares: boolean
}
const EAVESDROPPED: readonly Eavesdropped[] = [
  { name: "tgdh", derivableSecrets: derivableInTree(tgdhShape), keepsShares: true },
  { name: "str", derivableSecrets: derivableInTree(strShape), keepsShares: true },
  { name: "bd", derivableSecrets: derivableInRing, keepsShares: false },
  { name: "ckd", derivableSecrets: derivableFromSeals, keepsShares: false },
]

type Played = {
  readonly module: Eavesdropped
  readonly harness: Harness
  readonly views: readonly View[]
  readonly minds: ReadonlyMap<MemberId, Recorded>
  /** How many scalars each member knew when a view had ended. */
  readonly knownAfter: readonly ReadonlyMap<MemberId, number>[]
}

/** Undisturbed views of the given members, each a string of names. */
function play(module: Eavesdropped, memberships: readonly string[]): Played {
  const harness = new Harness(group, { seed: memberships.join(), module: module.name })
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
  return { module, harness, views, minds, knownAfter }
}

function secretOfView({ harness, views }: Played, index: number): string {
  return harness.secrets.find(({ view }) => view === views[index])!.secret
}

/**
 * The secrets that these members can compute together from their knowledge after a view, and all traffic from first to
 * last.
 */
function derivable(played: Played, members: string, knownAfterView: number): Set<string> {
  const scalars = [...members].flatMap((name) => {
    const id = memberNamed(name)
    return played.minds.get(id)!.copies.slice(0, played.knownAfter[knownAfterView]!.get(id))
  })
  return played.module.derivableSecrets(group, scalars, played.views)
}

for (const module of EAVESDROPPED) {
  test(`${module.name}: the tests' eavesdropper is real: scalars give every secret`, () => {
    const played = play(module, ["abcdef", "abcef", "abcefg", "abcefg"])
    for (const view of played.views.keys()) expect(derivable(played, "a", 3).has(secretOfView(played, view))).toBe(true)
  })

  test(`${module.name}: a former member computes no later secret of scalars and traffic`, () => {
    const played = play(module, ["abcdef", "abdef", "abdefg", "bdefg", "bdefg"])
    const secrets = derivable(played, "c", 0)
    expect(secrets.has(secretOfView(played, 0))).toBe(true)
    for (const later of [1, 2, 3, 4]) expect(secrets.has(secretOfView(played, later))).toBe(false)
  })

  test(`${module.name}: a newcomer that recorded everything gets no earlier secret`, () => {
    const played = play(module, ["abcde", "abcd", "abcdf", "abcdfg", "abcfg"])
    const secrets = derivable(played, "g", 4)
    expect(secrets.has(secretOfView(played, 3))).toBe(true)
    for (const earlier of [0, 1, 2]) expect(secrets.has(secretOfView(played, earlier))).toBe(false)
  })

  test(`${module.name}: leavers of different times compute nothing, even with newcomers`, () => {
    const played = play(module, ["abcdefgh", "abdefgh", "abdegh", "begh", "begh", "begi"])
    const together = derivable(played, "cfad", 2)
    for (const later of [3, 4, 5]) expect(together.has(secretOfView(played, later))).toBe(false)
    const scalars = [...derivable(played, "cfad", 2)]
    expect(scalars.includes(secretOfView(played, 0))).toBe(true)
    const members = ["c", "f", "a", "d"].map(memberNamed)
    const left = members.flatMap((id) => played.minds.get(id)!.copies.slice(0, played.knownAfter[2]!.get(id)))
    const newcomer = played.minds.get(memberNamed("i"))!.copies
    const all = module.derivableSecrets(group, [...left, ...newcomer], played.views)
    expect(all.has(secretOfView(played, 3))).toBe(false)
    expect(all.has(secretOfView(played, 4))).toBe(false)
    expect(all.has(secretOfView(played, 5))).toBe(true)
  })

  test(`${module.name}: outsiders of a view compute nothing of it together, in any views`, () => {
    const membership = fc
      .uniqueArray(fc.constantFrom(..."abcdefgh"), { minLength: 2, maxLength: 8 })
      .map((m) => m.sort().join(""))
    const property = fc.property(fc.array(membership, { minLength: 2, maxLength: 6 }), (memberships) => {
      const played = play(module, memberships)
      for (const [index, names] of memberships.entries()) {
        const outside = [...played.minds].filter(([id]) => ![...names].map(memberNamed).includes(id))
        const scalars = outside.flatMap(([, mind]) => mind.copies)
        expect(module.derivableSecrets(group, scalars, played.views).has(secretOfView(played, index))).toBe(false)
        const inside = played.minds.get(memberNamed(names[0]!))!.copies
        expect(module.derivableSecrets(group, inside, played.views).has(secretOfView(played, index))).toBe(true)
      }
    })
    fc.assert(property, { numRuns: MEMBERSHIPS })
  })

  test(`${module.name}: a departed member that still gets messages learns no secret`, () => {
    const harness = new Harness(group, { module: module.name })
    const all = [..."abcdef"].map((name) => harness.start(name))
    harness.change(all)
    const departed = all[2]!
    const before = harness.secrets.length
    const view = harness.change(all.filter((id) => id !== departed)).view
    for (const { from, bytes } of view.log) harness.inject(departed, from, bytes)
    expect(harness.secrets.slice(before).map(({ member }) => member)).not.toContain(departed)
    expect(harness.secrets.slice(before)).toHaveLength(5)
  })

  test(`${module.name}: overwrites secrets of earlier epochs and abandoned proposals`, () => {
    const harness = new Harness(group, { module: module.name })
    const mind = recording(group)
    const all = [harness.start("a", mind.group), ...[..."bcdefgh"].map((name) => harness.start(name))]
    harness.change(all)
    const firstEpoch = mind.buffers.length
    expect(mind.buffers.some(isLive)).toBe(module.keepsShares)
    harness.propose(all)
    harness.install(harness.propose(all))
    harness.settle()
    for (const name of "hgfedcb") harness.change([...harness.members.keys()].filter((id) => id <= memberNamed(name)))
    harness.change([memberNamed("a")])
    expect(mind.buffers.slice(0, firstEpoch).filter(isLive)).toEqual([])
    // Alone, there is no branch whose key could be known, and the share of that view lives on as a copy only.
    expect(mind.buffers.filter(isLive)).toEqual([])
  })
}

test("tgdh: a sponsor's own key for a node is worthless to it after its removal", () => {
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
  const known = derivableInTree(tgdhShape)(group, [...mind.copies, chosen], views)
  const secretsOf = (view: View): string[] => harness.secrets.filter((s) => s.view === view).map((s) => s.secret)
  expect(known.has(secretsOf(views[0]!)[0]!)).toBe(true)
  for (const later of views.slice(2)) {
    expect(new Set(secretsOf(later)).size).toBe(1)
    expect(known.has(secretsOf(later)[0]!)).toBe(false)
  }
})

test("str: a sponsor whose wrong key splits the chain has no key after its removal", () => {
  const harness = new Harness(group, { module: "str" })
  const mind = recording(group)
  const all = [..."abcdefgh"].map((name) => harness.start(name, name === "d" ? mind.group : group))
  const views = [harness.change(all).view]
  const attacked = harness.install(harness.propose(all.filter((id) => id !== memberNamed("e"))))
  views.push(attacked)
  const sent = attacked.log[0]!
  expect(sent.from).toBe(memberNamed("d"))
  // d gives its own place in the chain a key of its choice, and goes on from there as if that were right.
  const chosen = group.randomScalar(harness.random())
  let key = chosen
  const forged = [group.multiplyBase(key)]
  for (const above of ["f", "g", "h"]) {
    const share = createAttachmentCodec(group).decode(attacked.attachments.get(memberNamed(above))!)!.share as Element
    key = mind.group.hashToScalar(nodeDomain("str"), group.multiply(share, key))
    forged.push(group.multiplyBase(key))
  }
  const codec = createKeyTreeCodec(group, strShape)
  attacked.log[0] = { ...sent, bytes: codec.encodeMessage({ kind: "keys", round: 1, blinded: forged }) }
  harness.settle(attacked.members)
  const deceived = harness.secrets.filter(({ view }) => view === attacked)
  expect(deceived.map(({ member }) => member)).toEqual(["f", "g", "h"].map(memberNamed))
  for (const below of ["a", "b", "c"].map(memberNamed)) {
    expect(harness.faults).toContainEqual({ at: below, member: memberNamed("d"), reason: "wrong-key" })
  }
  const remaining = ["a", "b", "c", "f", "g", "h"].map(memberNamed)
  views.push(harness.change(remaining).view, harness.change(remaining).view)
  const known = derivableInTree(strShape)(group, [...mind.copies, chosen], views)
  expect(known.has(deceived[0]!.secret)).toBe(true)
  for (const later of views.slice(2)) {
    const secrets = harness.secrets.filter(({ view }) => view === later)
    expect(secrets).toHaveLength(remaining.length)
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(1)
    expect(known.has(secrets[0]!.secret)).toBe(false)
  }
})

function isLive(buffer: Uint8Array): boolean {
  return buffer.some((byte) => byte !== 0)
}
