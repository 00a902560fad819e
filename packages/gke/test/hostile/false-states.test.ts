/** Public states that lie: what comes of them depends on who signed their hash. */
import { expect, test } from "vitest"
import type { MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed, type Proposal } from "../harness.ts"
import { expectStillAgrees, groupOf, ids, takeFaults } from "../small-groups.ts"
import { createAttachmentCodec } from "../../src/clusters/attachment.ts"
import { stateHashOf } from "../../src/clusters/completed-epoch.ts"
import { createKeyTreeCodec } from "../../src/key-tree/tree-codec.ts"
import { digestOf } from "../../src/key-tree/digest.ts"
import { branchOf, leafOf, type Node } from "../../src/key-tree/tree.ts"
import { strShape } from "../../src/str/str-shape.ts"
import { tgdhShape } from "../../src/tgdh/tgdh-shape.ts"

const group = createToyGroup()
const attachments = createAttachmentCodec(group)
const TREES = [
  { name: "tgdh", codec: createKeyTreeCodec(group, tgdhShape) },
  { name: "str", codec: createKeyTreeCodec(group, strShape) },
] as const
const NO_ELEMENT = new Uint8Array(group.elementBytes).fill(0xff)

for (const tree of TREES) {
  test(`${tree.name}: blames a false state on its carrier, and another sends the right`, () => {
    const harness = groupOf(tree.name, "abcdef")
    harness.start("g")
    const proposal = harness.propose(ids("abcdefg"))
    const carrier = memberNamed("a")
    const attachment = attachments.decode(proposal.attachments.get(carrier)!)!
    const state = attachment.state.with(40, attachment.state[40]! ^ 1)
    proposal.attachments.set(carrier, attachments.encode({ ...attachment, state }))
    const honest = ids("bcdefg")
    harness.install(proposal, honest)
    harness.settle(honest)
    expect(harness.faults).toEqual(honest.map((at) => ({ at, member: carrier, reason: "bad-state" })))
    expectStillAgrees(harness, "bcdefg")
  })

  test(`${tree.name}: a false requested state is its sender's fault at all members`, () => {
    const harness = groupOf(tree.name, "abcdef")
    harness.start("a")
    const view = harness.install(harness.propose(ids("abcdef")))
    const sender = memberNamed("b")
    const message = tree.codec.decodeMessage(view.log.find(({ from }) => from === sender)!.bytes)
    if (message?.kind !== "state") throw new Error("b has nothing else to send first")
    const share = message.state.length - 1
    const forged = tree.codec.encodeMessage({
      kind: "state",
      state: message.state.with(share, message.state[share]! ^ 1),
    })
    for (const at of ids("acdef")) {
      harness.inject(at, sender, forged)
      expect(harness.faults.splice(0)).toEqual([{ at, member: sender, reason: "bad-state" }])
    }
    expectStillAgrees(harness, "abcdef")
  })

  test(`${tree.name}: colluders that attach no state under one hash are each at fault`, () => {
    const harness = groupOf(tree.name, "abcd")
    for (const name of "xy") harness.start(name)
    harness.change(ids("xy"))
    const proposal = harness.propose(ids("abcdxy"))
    const valid = harness.member(memberNamed("x")).agreement.publicState().bytes
    sign(tree.name, proposal, "xy", { digest: new Uint8Array(32), state: valid.subarray(0, -1) })
    harness.install(proposal, ids("abcd"))
    expect(takeFaults(harness)).toEqual([..."abcd"].flatMap((at) => [`${at} of x: bad-state`, `${at} of y: bad-state`]))
    expectStillAgrees(harness, "abcd")
  })

  test(`${tree.name}: refuses a state with two seats of one member, though its hash fits`, () => {
    const harness = groupOf(tree.name, "abcd")
    for (const name of "xy") harness.start(name)
    harness.change(ids("xy"))
    const proposal = harness.propose(ids("abcdxy"))
    const state = tree.codec.decodeState(harness.member(memberNamed("x")).agreement.publicState().bytes)!
    if (state.kind === "leaf" || state.right.kind === "branch") throw new Error("two leaves")
    const doubled = branchOf(state.left, leafOf(memberNamed("x"), state.right.blinded, 1), state.blinded)
    sign(tree.name, proposal, "xy", {
      digest: digestOf(tree.codec, doubled),
      state: tree.codec.encodeState(doubled),
    })
    harness.install(proposal, ids("abcd"))
    expect(takeFaults(harness)).toContain("a of x: bad-state")
    expectStillAgrees(harness, "abcd")
  })

  test(`${tree.name}: faults no newcomer when colluders claim its fresh share as old`, () => {
    const harness = groupOf(tree.name, "abcd")
    for (const name of "xyz") harness.start(name)
    harness.change(ids("xy"))
    const proposal = harness.propose(ids("abcdxyz"))
    const newcomer = memberNamed("z")
    const { share } = attachments.decode(proposal.attachments.get(newcomer)!)!
    const state = tree.codec.decodeState(harness.member(memberNamed("x")).agreement.publicState().bytes)!
    const invented = branchOf(state, leafOf(newcomer, share, 1), share)
    sign(tree.name, proposal, "xy", {
      digest: digestOf(tree.codec, invented),
      state: tree.codec.encodeState(invented),
    })
    harness.install(proposal, ids("abcdz"))
    expect(takeFaults(harness).filter((fault) => fault.includes("of z"))).toEqual([])
    expectStillAgrees(harness, "abcdz")
  })
}

/**
 * State of a conference of colluders x, y and z: ((x y) z), or under STR the same. h enters it and has z as its
 * sibling. `falsified`: the value that is not an element in the state that the three sign.
 */
function enteredBy(name: "tgdh" | "str", falsified: (tree: Node) => Node): { harness: Harness; newcomer: MemberId } {
  const codec = name === "tgdh" ? TREES[0].codec : TREES[1].codec
  const harness = new Harness(group, { module: name })
  for (const one of "xyz") harness.start(one)
  harness.change(ids("xyz"))
  const newcomer = harness.start("h")
  const proposal = harness.propose(ids("hxyz"))
  const view = harness.viewOf(proposal)
  // To their own kind they show the state as it is, so that z can publish.
  for (const id of ids("xyz")) harness.installAt(id, view)
  const shown: Proposal = { ...proposal, attachments: new Map(proposal.attachments) }
  const lie = falsified(codec.decodeState(harness.member(memberNamed("x")).agreement.publicState().bytes)!)
  sign(name, shown, "xyz", { digest: digestOf(codec, lie), state: codec.encodeState(lie) })
  harness.installAt(newcomer, { ...view, attachments: shown.attachments })
  for (const { from, bytes } of view.log) harness.inject(newcomer, from, bytes)
  return { harness, newcomer }
}

const withLeft = (tree: Node, left: (node: Node) => Node): Node => {
  if (tree.kind === "leaf") throw new Error("no branch")
  return branchOf(left(tree.left), tree.right, tree.blinded)
}
const falseNode = (node: Node): Node =>
  node.kind === "leaf" ? leafOf(node.owner, NO_ELEMENT, node.sinceEpoch) : branchOf(node.left, node.right, NO_ELEMENT)

test("tgdh: blames an invalid key in a state on the members below it, not on signers", () => {
  const { harness, newcomer } = enteredBy("tgdh", (tree) => withLeft(tree, falseNode))
  expect(takeFaults(harness)).toEqual(["h of x: bad-state", "h of y: bad-state"])
  expect(harness.member(newcomer).secret).toBeNull()
})

test("str: what is no element in a state is the fault of those below it", () => {
  // h is on top. Its sibling is the chain for which z publishes a new key; x and y are z's sibling, which is not on h's
  // path.
  const { harness, newcomer } = enteredBy("str", (tree) => withLeft(tree, falseNode))
  expect(takeFaults(harness)).toEqual([])
  expect(harness.member(newcomer).secret).not.toBeNull()
})

test("tgdh: what is no element where nobody honest comes by does no harm", () => {
  const { harness, newcomer } = enteredBy("tgdh", (tree) => withLeft(tree, (pair) => withLeft(pair, falseNode)))
  expect(takeFaults(harness)).toEqual([])
  expect(harness.member(newcomer).secret).not.toBeNull()
})

/** Has these members sign the hash of that state, and attach it. */
function sign(
  module: "tgdh" | "str",
  { attachments: all }: Proposal,
  names: string,
  { digest, state }: { readonly digest: Uint8Array; readonly state: Uint8Array },
): void {
  for (const id of ids(names)) {
    const { share, standing } = attachments.decode(all.get(id)!)!
    const claimed = { epochId: standing!.epochId, stateHash: stateHashOf(module, digest) }
    all.set(id, attachments.encode({ share, standing: claimed, state }))
  }
}
