import { bytesToHex } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { KeyAgreementError, type MemberId, MEMBERS_MAX } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed, type Proposal, type View } from "../harness.ts"
import { MODULES } from "../modules.ts"
import { expectStillAgrees, groupOf, ids, nameOf } from "../small-groups.ts"
import { describeKeyTree, type KeyTree } from "../trees/describe-key-tree.ts"
import { createAttachmentCodec } from "../../src/clusters/attachment.ts"
import { createKeyTreeCodec, type Message } from "../../src/key-tree/tree-codec.ts"
import { strShape } from "../../src/str/str-shape.ts"
import { tgdhShape } from "../../src/tgdh/tgdh-shape.ts"

const group = createToyGroup()
/** `npm run test:all` plays more. */
const ATTACKS = process.env["RUNS"] === "full" ? 300 : 40
const attachments = createAttachmentCodec(group)
const TREES = [
  { name: "tgdh", codec: createKeyTreeCodec(group, tgdhShape) },
  { name: "str", codec: createKeyTreeCodec(group, strShape) },
] as const
const tgdh = TREES[0]
type Mutation = { readonly kind: (typeof MUTATIONS)[number]; readonly at: number; readonly value: number }
const MUTATIONS = [
  "truncate",
  "extend",
  "flip",
  "replay",
  "wrongSender",
  "identity",
  "nonCanonical",
  "garbage",
  "otherService",
] as const
const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...MUTATIONS),
  at: fc.nat(0xffff),
  value: fc.nat(0xffff),
})

function mutate(bytes: Uint8Array, { kind, at, value }: Mutation): Uint8Array {
  if (kind === "truncate") return bytes.slice(0, at % bytes.length)
  if (kind === "extend") return Uint8Array.from([...bytes, ...new Uint8Array(1 + (at % 40)).fill(value)])
  if (kind === "flip") return bytes.with(at % bytes.length, bytes[at % bytes.length]! ^ (1 << (value & 7)))
  if (kind === "garbage") return Uint8Array.from({ length: at % 200 }, (_, i) => (value * (i + 1)) >> (i % 8))
  if (kind === "identity" || kind === "nonCanonical") {
    const element = new Uint8Array(8).fill(kind === "identity" ? 0 : 0xff)
    if (kind === "identity") element[7] = 1
    const mutated = bytes.slice()
    mutated.set(element.subarray(0, Math.min(8, bytes.length)), Math.max(0, bytes.length - 8 * (1 + (at % 2))))
    return mutated
  }
  return bytes
}

for (const module of MODULES) {
  test(`${module.name}: a damaged, replayed, forged or empty message never throws`, () => {
    const attack = fc.record({ mutation, receiver: fc.nat(7), victim: fc.nat(30), after: fc.nat(12) })
    const property = fc.property(fc.array(attack, { minLength: 1, maxLength: 6 }), (attacks) => {
      const harness = groupOf(module.name, "abcdefgh")
      const earlier = harness.change(ids("abcefgh")).view
      harness.start("d")
      const view = harness.install(harness.propose(ids("abcdefgh")))
      let delivered = 0
      do {
        for (const { mutation, receiver, victim, after } of attacks) {
          if (after !== delivered) continue
          const multicasts = [...view.log, ...earlier.log]
          const known = [...multicasts, ...view.unicasts, ...earlier.unicasts]
          const message = known[victim % known.length]!
          const from = mutation.kind === "wrongSender" ? ids("abcdefghx")[mutation.at % 9]! : message.from
          const isMulticast = victim % known.length < multicasts.length
          const via = isMulticast === (mutation.kind !== "otherService") ? "multicast" : "unicast"
          harness.inject(ids("abcdefgh")[receiver]!, from, mutate(message.bytes, mutation), via)
        }
        delivered++
      } while (deliverOne(harness, view))
      expectStillAgrees(harness, "abcdefgh")
    })
    fc.assert(property, { numRuns: ATTACKS })
  })

  test(`${module.name}: a mutated attachment is a fault or harmless, and never throws`, () => {
    const property = fc.property(mutation, fc.nat(7), (mutation, victim) => {
      const harness = groupOf(module.name, "abcdefgh")
      harness.change(ids("abcdefg"))
      const proposal = harness.propose(ids("abcdefgh"))
      const member = ids("abcdefgh")[victim]!
      proposal.attachments.set(member, mutate(proposal.attachments.get(member)!, mutation))
      // Its own member would refuse the view: transport has compared it byte for byte.
      const others = ids("abcdefgh").filter((id) => id !== member)
      const view = harness.install(proposal, others)
      harness.settle(others)
      const keyed = harness.secrets.filter((secret) => secret.view === view)
      expect(new Set(keyed.map(({ secret }) => secret)).size).toBeLessThanOrEqual(1)
      expectStillAgrees(harness, "abcdefgh")
    })
    fc.assert(property, { numRuns: ATTACKS })
  })

  test(`${module.name}: notifies a caller of a contract violation, and continues`, () => {
    const harness = groupOf(module.name, "abc")
    const { agreement } = harness.member(memberNamed("a"))
    const proposal = harness.propose(ids("abc"))
    const view = { ...harness.viewOf(proposal), self: memberNamed("a") }
    const random = harness.random()
    const crowd = [...Array.from({ length: MEMBERS_MAX }, (_, i) => memberNamed(`b${i}`)), memberNamed("a")].sort()
    const mistakes = [
      { ...view, sid: new Uint8Array(31) },
      { ...view, self: memberNamed("b") },
      { ...view, members: ids("bc") },
      { ...view, members: ids("acb") },
      { ...view, members: ids("aabc") },
      { ...view, members: crowd, attachments: new Map(crowd.map((id) => [id, new Uint8Array(1)])) },
      { ...view, attachments: new Map() },
      { ...view, attachments: new Map([...view.attachments].map(([id]) => [id, new Uint8Array(3)])) },
      { ...view, proposal: { epoch: 999, coordinator: memberNamed("a") } },
    ]
    for (const mistake of mistakes) {
      expect(() => agreement.step({ type: "view", view: mistake, random })).toThrow(KeyAgreementError)
    }
    harness.install(proposal)
    harness.settle()
    expect(harness.member(memberNamed("a")).secret).not.toBeNull()
    expectStillAgrees(harness, "abc")
  })
}

// Elsewhere nobody attaches a share (GDH), or it is for the controller (CKD) or the neighbours (BD) alone.
for (const module of TREES) {
  test(`${module.name}: blames a share that is the identity or no element on its owner`, () => {
    for (const share of [Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1), new Uint8Array(8).fill(0xff)]) {
      const harness = groupOf(module.name, "abcd")
      harness.start("e")
      const proposal = harness.propose(ids("abcde"))
      proposal.attachments.set(
        memberNamed("e"),
        attachments.encode({ share, standing: null, state: new Uint8Array(0) }),
      )
      harness.install(proposal, ids("abcd"))
      expect(harness.faults).toEqual(
        ids("abcd").map((at) => ({ at, member: memberNamed("e"), reason: "malformed-attachment" })),
      )
      expectStillAgrees(harness, "abcd")
    }
  })
}

for (const tree of TREES) {
  test(`${tree.name}: a member without a leaf in the state it claims is a newcomer`, () => {
    const harness = groupOf(tree.name, "abcd")
    harness.start("x")
    const proposal = harness.propose(ids("abcdx"))
    const { standing, state } = attachments.decode(proposal.attachments.get(memberNamed("a"))!)!
    const own = attachments.decode(proposal.attachments.get(memberNamed("x"))!)!
    proposal.attachments.set(memberNamed("x"), attachments.encode({ share: own.share, standing, state }))
    harness.install(proposal, ids("abcd"))
    harness.settle(ids("abcd"))
    expect(harness.faults).toEqual([])
    expect(newSharesOf(tree.name, harness, proposal)).toContain("x")
    expectStillAgrees(harness, "abcd")
  })

  test(`${tree.name}: a member with the others' epoch but another state is a newcomer`, () => {
    const harness = groupOf(tree.name, "abcde")
    const proposal = harness.propose(ids("abcde"))
    const liar = memberNamed("e")
    const attachment = attachments.decode(proposal.attachments.get(liar)!)!
    const standing = { epochId: attachment.standing!.epochId, stateHash: new Uint8Array(32) }
    proposal.attachments.set(liar, attachments.encode({ ...attachment, standing }))
    const honest = ids("abcd")
    harness.install(proposal, honest)
    // e joins at the root again, where d is the sponsor: nobody waits for the liar.
    harness.settle(honest)
    expect(harness.faults).toEqual([])
    expect(newSharesOf(tree.name, harness, proposal)).toContain("e")
    expectStillAgrees(harness, "abcd")
  })
}

test("tgdh: a sponsor's wrong blinded key is detected by all below, and none completes", () => {
  // After h has left (((ab)(cd))((ef)(gh))), g publishes the keys of ((ef)g) and of the root.
  for (const [position, below] of ["efg", "abcdefg"].entries()) {
    const harness = groupOf("tgdh", "abcdefgh")
    const before = harness.secrets.length
    const view = harness.install(harness.propose(ids("abcdefg")))
    const sponsor = memberNamed("g")
    const message = publicationOf(view, sponsor)
    const wrong = group.multiplyBase(group.randomScalar(harness.random()))
    const forged = { ...message, blinded: message.blinded.with(position, wrong) }
    view.log[0] = { view, from: sponsor, bytes: tgdh.codec.encodeMessage(forged) }
    harness.settle(view.members)
    for (const at of ids(below)) expect(harness.faults).toContainEqual({ at, member: sponsor, reason: "wrong-key" })
    expect(harness.faults.every(({ member }) => member === sponsor)).toBe(true)
    const completed = harness.secrets.slice(before).map(({ member }) => nameOf(member))
    expect(completed.filter((name) => below.includes(name))).toEqual([])
    expectStillAgrees(harness, "abcdef")
  }
})

test("tgdh: the sponsor's neighbour blames the sponsor for any flipped bit", () => {
  const { view } = leaveOf("h")
  const { length } = view.log[0]!.bytes
  for (let bit = 0; bit < 8 * length; bit++) {
    const { harness, view } = leaveOf("h")
    const { bytes, from } = view.log[0]!
    harness.inject(memberNamed("e"), from, bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7))))
    expect(harness.faults).toHaveLength(1)
    expect(harness.faults[0]!.member).toBe(from)
    expect(harness.secrets.filter((secret) => secret.view === view)).toEqual([])
  }
})

test("tgdh: a replayed, foreign or unicast message is a fault, and all continues", () => {
  const { harness, view } = leaveOf("h")
  const { bytes, from } = view.log[0]!
  const receiver = memberNamed("e")
  const faultOf = (sender: MemberId, via?: "unicast"): string[] => {
    harness.faults.length = 0
    harness.inject(receiver, sender, bytes, via)
    return harness.faults.map(({ member, reason }) => `${nameOf(member)} ${reason}`)
  }
  expect(faultOf(memberNamed("a"))).toEqual(["a unexpected-message"])
  expect(faultOf(memberNamed("p"))).toEqual(["p unexpected-message"])
  expect(faultOf(from, "unicast")).toEqual(["g unexpected-message"])
  expect(faultOf(from)).toEqual([])
  expect(harness.member(receiver).secret).not.toBeNull()
  expect(faultOf(from)).toEqual(["g unexpected-message"])
})

test("tgdh: members shown different attachments get different epochs, then agree", () => {
  const harness = groupOf("tgdh", "abcd")
  const proposal = harness.propose(ids("abcd"))
  // The refresh takes a's share; c's is not used, so that all four come to the same tree and keys.
  const shown = new Map(proposal.attachments)
  const attachment = attachments.decode(shown.get(memberNamed("c"))!)!
  const share = group.multiplyBase(group.randomScalar(harness.random()))
  shown.set(memberNamed("c"), attachments.encode({ ...attachment, share }))
  const view = harness.install(proposal, ids("bc"))
  const other = { ...view, attachments: shown }
  for (const id of ids("ad")) harness.installAt(id, other)
  harness.settle()
  const keyed = ids("abcd").map((id) => harness.member(id).secret)
  expect(new Set(keyed.map((s) => s?.secret)).size).toBe(1)
  expect(new Set(keyed.map((s) => s?.transcript)).size).toBe(2)
  const next = harness.propose(ids("abcd"))
  const epochIds = ids("abcd").map((id) => bytesToHex(attachments.decode(next.attachments.get(id)!)!.standing!.epochId))
  expect(new Set(epochIds).size).toBe(2)
  expectStillAgrees(harness, "abcd")
})

function deliverOne(harness: Harness, view: View): boolean {
  for (const id of view.members) {
    const [sender] = harness.sendersWaiting(id)
    if (sender) return harness.deliverNext(id, sender)
  }
  return false
}

function leaveOf(leaver: string): { harness: Harness; view: View } {
  const harness = groupOf("tgdh", "abcdefgh")
  return { harness, view: harness.install(harness.propose(ids("abcdefgh".replace(leaver, "")))) }
}

function publicationOf(view: View, sponsor: MemberId): Message & { kind: "keys" } {
  const message = tgdh.codec.decodeMessage(view.log.find(({ from }) => from === sponsor)!.bytes)
  if (message?.kind !== "keys") throw new Error("not a publication")
  return message
}

/** Whose shares that proposal brought in, by a's account. */
function newSharesOf(module: "tgdh" | "str", harness: Harness, proposal: Proposal): string[] {
  const leaves = (tree: KeyTree): Extract<KeyTree, { member: MemberId }>[] =>
    "member" in tree ? [tree] : [...leaves(tree.left), ...leaves(tree.right)]
  const state = describeKeyTree(module, group, harness.member(memberNamed("a")).agreement.publicState().bytes)!
  return leaves(state.tree).flatMap((leaf) => (leaf.sinceEpoch === proposal.id.epoch ? [nameOf(leaf.member)] : []))
}
