/** Attacks that a hostile reading of the modules suggested: docs/key-agreement-attacks.md. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import type { Element, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed } from "../harness.ts"
import { expectStillAgrees, groupOf, ids, nameOf, takeFaults } from "../small-groups.ts"
import { SymbolicGroup } from "../secrecy/symbolic-group.ts"
import { createAttachmentCodec } from "../../src/clusters/attachment.ts"
import { secretOf, stateHashOf } from "../../src/clusters/completed-epoch.ts"
import { createGdhCodec } from "../../src/gdh/gdh-codec.ts"
import { nodeDomain } from "../../src/key-tree/climb.ts"
import { createKeyTreeCodec } from "../../src/key-tree/tree-codec.ts"
import { digestOf } from "../../src/key-tree/digest.ts"
import { branchOf, leafOf, type Node } from "../../src/key-tree/tree.ts"
import { strShape } from "../../src/str/str-shape.ts"
import { balancedTree } from "../../src/tgdh/tree-operations.ts"
import { tgdhShape } from "../../src/tgdh/tgdh-shape.ts"

const group = createToyGroup()
const attachments = createAttachmentCodec(group)

for (const { name, shape, refreshing } of [
  { name: "tgdh", shape: tgdhShape, refreshing: "a" },
  { name: "str", shape: strShape, refreshing: "a" },
] as const) {
  test(`${name}: a member that reuses its share is at fault, or a secret could repeat`, () => {
    const harness = groupOf(name, "abcd")
    const codec = createKeyTreeCodec(group, shape)
    const lazy = memberNamed(refreshing)
    const state = codec.decodeState(harness.member(lazy).agreement.publicState().bytes)!
    const old = (node: Node): Uint8Array | null =>
      node.kind === "leaf" ? (node.owner === lazy ? node.blinded : null) : (old(node.left) ?? old(node.right))
    const proposal = harness.propose(ids("abcd"))
    const { standing, state: attached } = attachments.decode(proposal.attachments.get(lazy)!)!
    proposal.attachments.set(lazy, attachments.encode({ share: old(state)!, standing, state: attached }))
    harness.install(proposal, ids("bcd"))
    expect(takeFaults(harness)).toEqual([..."bcd"].map((at) => `${at} of ${refreshing}: malformed-attachment`))
    expectStillAgrees(harness, "bcd")
  })
}

test("gdh: a controller that replaces no share after a leave is at fault everywhere", () => {
  const harness = groupOf("gdh", "abcdef")
  const codec = createGdhCodec(group)
  const secretsBefore = new Set(harness.secrets.map(({ secret }) => secret))
  const before = harness.change(ids("abcdef")).view
  const view = harness.install(harness.propose(ids("abcde")))
  const old = codec.decode(before.log[0]!.bytes)
  const fresh = codec.decode(view.log[0]!.bytes)
  if (old?.kind !== "list" || fresh?.kind !== "list") throw new Error("a refresh and a leave are one list each")
  // The refresh was a's, whose list leaves out its own partial key; e's leaves out its own, so a's must be found in a state.
  const partialOf = (name: string): Uint8Array => old.list.partials["bcdef".indexOf(name)]!
  const stale = ["a", "b", "c", "d"].map((name) => (name === "a" ? fresh.list.partials[0]! : partialOf(name)))
  const list = { ...fresh.list, commitment: old.list.commitment, partials: stale }
  view.log[0] = { ...view.log[0]!, bytes: codec.encode({ kind: "list", list }) }
  harness.settle(ids("abcd"))
  expect(takeFaults(harness)).toEqual([..."abcd"].map((at) => `${at} of e: wrong-key`))
  expect(harness.secrets.filter((one) => one.view === view)).toEqual([])
  expect(secretsBefore.size).toBe(1)
  expectStillAgrees(harness, "abcd")
})

test("gdh: newcomers that abuse factoring of an old partial key learn no old key", () => {
  const symbols = new SymbolicGroup()
  const harness = new Harness(symbols.groupOf(memberNamed("?")), { module: "gdh" })
  for (const id of ids("abcdxy")) harness.startAs(id, symbols.groupOf(id))
  const codec = createGdhCodec(symbols.groupOf(memberNamed("?")))
  const past = [harness.change(ids("abcd")).view, harness.change(ids("abcd")).view]
  const pastSecrets = past.map((view) => harness.secrets.find((one) => one.view === view)!.secret)
  const partials = past
    .flatMap(({ log }) => log)
    .flatMap(({ bytes }) => {
      const message = codec.decode(bytes)!
      return message.kind === "list" ? message.list.partials : []
    })
  expect(partials.length).toBeGreaterThanOrEqual(6)
  for (const oracle of partials) {
    const view = harness.install(harness.propose(ids("abcdxy")))
    while (view.log.length === 0) {
      const { to, from } = view.unicasts.find((one) => harness.sendersWaiting(one.to).includes(one.from))!
      harness.deliverNext(to, from)
    }
    // y is the controller, and x, who would see it, is of one mind with it.
    for (const id of ids("abcd")) {
      harness.inject(id, memberNamed("y"), codec.encode({ kind: "broadcast", element: oracle }))
    }
    expect(view.unicasts.filter(({ to }) => to === memberNamed("y")).length).toBeGreaterThanOrEqual(5)
    const seen = [...past, view]
      .flatMap(({ log, unicasts }) => [...log, ...unicasts])
      .flatMap(({ bytes }) => {
        const message = codec.decode(bytes)!
        return message.kind === "list" ? message.list.partials : [message.element]
      })
    const known = new Set(ids("xy").flatMap((id) => symbols.secretsOf(id)))
    for (const element of symbols.elements()) {
      if (!pastSecrets.includes(bytesToHex(secretOf("gdh", element, 4)))) continue
      expect(symbols.isDerivable(element, known, seen as never)).toBe(false)
      expect(
        symbols.isDerivable(element, new Set([...known, ...symbols.secretsOf(memberNamed("a"))]), seen as never),
      ).toBe(true)
    }
    harness.faults.length = 0
  }
})

test("tgdh: a sponsor that sends no element, then right keys, does not split the key", () => {
  const harness = groupOf("tgdh", "abcdefgh")
  const codec = createKeyTreeCodec(group, tgdhShape)
  const view = harness.install(harness.propose(ids("abcdefg")))
  const { from, bytes } = view.log[0]!
  const message = codec.decodeMessage(bytes)
  if (message?.kind !== "keys") throw new Error("a leave is answered by keys")
  const blinded = message.blinded.with(0, new Uint8Array(group.elementBytes).fill(0xff))
  view.log.unshift({ view, from, bytes: codec.encodeMessage({ ...message, blinded }) })
  harness.settle(view.members)
  const named = harness.faults.filter(({ reason }) => reason === "malformed-message").map(({ at }) => nameOf(at))
  expect(named.sort().join("")).toBe("abcdef")
  const keyed = harness.secrets.filter((secret) => secret.view === view)
  expect(new Set(keyed.map(({ secret, transcript }) => secret + transcript)).size).toBeLessThanOrEqual(1)
  expect(keyed.map(({ member }) => nameOf(member))).not.toContain("e")
  expectStillAgrees(harness, "abcdef")
})

test("tgdh: a sponsor whose keys fit each other is at fault only for those below them", () => {
  const harness = groupOf("tgdh", "abc")
  harness.start("d")
  const codec = createKeyTreeCodec(group, tgdhShape)
  const before = codec.decodeState(harness.member(memberNamed("c")).agreement.publicState().bytes)!
  if (before.kind === "leaf") throw new Error("three members have a tree")
  // d joins beside c, which publishes the keys of (cd) and of the root ((ab)(cd)).
  const view = harness.install(harness.propose(ids("abcd")))
  const { from, bytes } = view.log[0]!
  const message = codec.decodeMessage(bytes)
  if (message?.kind !== "keys") throw new Error("a join is answered by keys")
  const key = group.randomScalar(harness.random())
  const root = group.hashToScalar(nodeDomain("tgdh"), group.multiply(before.left.blinded as Element, key))
  const blinded = [key, root].map((scalar) => group.multiplyBase(scalar))
  view.log[0] = { view, from, bytes: codec.encodeMessage({ ...message, blinded }) }
  harness.settle(view.members)
  expect(takeFaults(harness)).toEqual(["c of c: wrong-key", "d of c: wrong-key"])
  expect(harness.secrets.filter((one) => one.view === view).map(({ member }) => nameOf(member))).toEqual(["a", "b"])
  expectStillAgrees(harness, "abd")
})

test("tgdh: a state of a thousand leaves costs its reader no more than its path", () => {
  let operations = 0
  const counting: PrimeOrderGroup = {
    ...group,
    decode: (bytes) => (operations++, group.decode(bytes)),
    multiplyEncoded: (e, s) => (operations++, group.multiplyEncoded(e, s)),
    multiply: (e, s) => (operations++, group.multiply(e, s)),
  }
  const codec = createKeyTreeCodec(group, tgdhShape)
  const harness = groupOf("tgdh", "abcdef")
  const pairs = ["AB", "CD", "EF", "GH"]
  const honest = harness.start("z", counting)
  for (const name of pairs.join("")) harness.start(name)
  for (const pair of pairs) harness.change(ids(pair))
  const proposal = harness.propose([...ids("abcdef"), honest, ...ids(pairs.join(""))])
  const element = group.multiplyBase(group.randomScalar(harness.random()))
  for (const pair of pairs) {
    const fillers = Array.from({ length: 1022 }, (_, i) => i.toString(16).padStart(32, "f") as MemberId)
    const known = (node: Node): Node =>
      node.kind === "leaf" ? node : branchOf(known(node.left), known(node.right), element)
    const huge = known(balancedTree([...ids(pair), ...fillers].map((owner) => leafOf(owner, element, 1))))
    const state = codec.encodeState(huge)
    for (const id of ids(pair)) {
      const { share, standing } = attachments.decode(proposal.attachments.get(id)!)!
      const claimed = { epochId: standing!.epochId, stateHash: stateHashOf("tgdh", digestOf(codec, huge)) }
      proposal.attachments.set(id, attachments.encode({ share, standing: claimed, state }))
    }
  }
  operations = 0
  harness.install(proposal, [...ids("abcdef"), honest])
  // Fifteen members: at most a share of each, and a way to the root.
  expect(operations).toBeLessThanOrEqual(15 + 10)
  expectStillAgrees(harness, "abcdef")
})
