import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { MemberId } from "@keymoot/gke"
import { memberNamed } from "../harness.ts"
import { expectStillAgrees, groupOf, ids, nameOf, takeFaults } from "../small-groups.ts"
import { createSeatAttachmentCodec } from "../../src/seniority/seat-attachment.ts"
import { orderOf, type Standing } from "../../src/seniority/order.ts"

/** "d2" stands at place 2 of the state of its line; a line of one name without a place has none. */
function orderIn(lines: readonly string[]): string {
  const standings = new Map<MemberId, Standing | null>()
  for (const [line, text] of lines.entries()) {
    for (const word of text.split(" ")) {
      const hash = new Uint8Array(32).fill(line)
      const standing = { epochId: hash, stateHash: hash, place: Number(word.slice(1)), sinceEpoch: 7 }
      standings.set(memberNamed(word[0]!), word.length > 1 ? standing : null)
    }
  }
  const { seniors, newcomers } = orderOf([...standings.keys()].sort(), (member) => standings.get(member)!)
  const written = (members: readonly MemberId[]): string => members.map(nameOf).join("")
  return `${written(seniors.map(({ owner }) => owner))} then ${written(newcomers)}`
}

test("the first cluster stays in its order, and everybody else enters after it", () => {
  expect(orderIn(["a"])).toBe(" then a")
  expect(orderIn(["b", "a", "c"])).toBe(" then abc")
  expect(orderIn(["a2 b1 c0"])).toBe("cba then ")
  // Larger first, then the smaller lowest member; within each by place.
  expect(orderIn(["a1 b0", "f0 e2 d1"])).toBe("fde then ba")
  expect(orderIn(["c1 d0", "a1 b0"])).toBe("ba then dc")
  // A member that is alone with its state counts as a newcomer.
  expect(orderIn(["c5", "b", "e3 a9", "d0"])).toBe("ea then bcd")
  expect(orderIn(["b5", "c", "a"])).toBe(" then abc")
})

const MODULES = [
  { name: "gdh", codec: createSeatAttachmentCodec(0) },
  { name: "ckd", codec: createSeatAttachmentCodec(8) },
] as const

for (const { name, codec } of MODULES) {
  const claim = (names: string, liar: string, change: (own: Standing | null, others: Standing) => Standing) => {
    const harness = groupOf(name, "abcd")
    harness.start("x")
    harness.start("y")
    harness.change(ids("xy"))
    const proposal = harness.propose(ids(names))
    const own = codec.decode(proposal.attachments.get(memberNamed(liar))!)!
    const others = codec.decode(proposal.attachments.get(memberNamed("b"))!)!.standing!
    const standing = change(own.standing, others)
    proposal.attachments.set(memberNamed(liar), codec.encode({ share: own.share, standing }))
    const honest = [...names].filter((one) => one !== liar).join("")
    const view = harness.install(proposal, ids(honest))
    harness.settle(ids(honest))
    return { harness, honest, keyed: harness.secrets.filter((secret) => secret.view === view).length }
  }

  test(`${name}: all seat owners detect a false claim of a seat, and do not proceed`, () => {
    for (const place of [0, 1, 3, 4, 1023]) {
      const { harness, honest, keyed } = claim("abcdxy", "x", (_, others) => ({ ...others, place }))
      expect(keyed).toBe(0)
      expect(takeFaults(harness)).toEqual(["a", "b", "c", "d"].map((at) => `${at} of x: bad-state`))
      expectStillAgrees(harness, honest)
    }
  })

  test(`${name}: detects a claim of an older share or another's seat in its own state`, () => {
    const younger = claim("abcd", "d", (own) => ({ ...own!, sinceEpoch: own!.sinceEpoch - 1 }))
    expect(younger.keyed).toBe(0)
    expect(takeFaults(younger.harness)).toEqual(["a of d: bad-state", "b of d: bad-state", "c of d: bad-state"])
    expectStillAgrees(younger.harness, "abc")
    const promoted = claim("abcdx", "d", (own) => ({ ...own!, place: 0 }))
    expect(promoted.keyed).toBe(0)
    expect(takeFaults(promoted.harness)).toEqual(["a of d: bad-state", "b of d: bad-state", "c of d: bad-state"])
    expectStillAgrees(promoted.harness, "abcx")
  })

  test(`${name}: who names the others' epoch and another state enters as new`, () => {
    const { harness, honest } = claim("abcdx", "d", (own) => ({ ...own!, stateHash: new Uint8Array(32) }))
    expect(takeFaults(harness)).toEqual([])
    expectStillAgrees(harness, honest)
  })

  test(`${name}: different attachments give different transcripts, then all agree again`, () => {
    const harness = groupOf(name, "abcd")
    harness.start("e")
    const proposal = harness.propose(ids("abcde"))
    const shown = new Map(proposal.attachments)
    const standing = { epochId: new Uint8Array(32), stateHash: new Uint8Array(32), place: 1, sinceEpoch: 1 }
    const { share } = codec.decode(shown.get(memberNamed("e"))!)!
    shown.set(memberNamed("e"), codec.encode({ share, standing }))
    const view = harness.install(proposal, ids("abe"))
    for (const id of ids("cd")) harness.installAt(id, { ...view, attachments: shown })
    harness.settle()
    const keyed = ids("abcde").map((id) => harness.member(id).secret)
    expect(keyed.every((secret) => secret !== null)).toBe(true)
    expect(new Set(keyed.map((secret) => secret!.secret)).size).toBe(1)
    expect(new Set(keyed.map((secret) => secret!.transcript)).size).toBe(2)
    expectStillAgrees(harness, "abcde")
  })

  test(`${name}: an attachment round-trips, and is refused with a byte less or more`, () => {
    const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })
    const standing = fc.record({
      epochId: bytes(32),
      stateHash: bytes(32),
      place: fc.nat(1023),
      sinceEpoch: fc.maxSafeNat(),
    })
    const attachment = fc.record({ share: bytes(name === "gdh" ? 0 : 8), standing: fc.option(standing) })
    const property = fc.property(attachment, (attachment) => {
      const encoded = codec.encode(attachment)
      expect(codec.decode(encoded)).toEqual(attachment)
      for (let length = 0; length < encoded.length; length++)
        expect(codec.decode(encoded.subarray(0, length))).toBeNull()
      expect(codec.decode(Uint8Array.of(...encoded, 0))).toBeNull()
      expect(codec.decode(encoded.with(0, 2))).toBeNull()
      expect(codec.decode(encoded.with(1, 2))).toBeNull()
    })
    fc.assert(property, { numRuns: 50 })
    const standing1 = { epochId: new Uint8Array(32), stateHash: new Uint8Array(32), place: 1, sinceEpoch: 1 }
    const encoded = codec.encode({ share: new Uint8Array(name === "gdh" ? 0 : 8), standing: standing1 })
    // A place beyond all members, and an epoch beyond what a number holds.
    const placeAt = encoded.length - 8 - 2
    expect(codec.decode(encoded.with(placeAt, 4))).toBeNull()
    expect(codec.decode(encoded.with(placeAt + 3, 0x20))).toBeNull()
  })
}
