import { bytesToHex } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createToyGroup } from "@keymoot/gke/testing"
import type { Element, MemberId } from "@keymoot/gke"
import { type Attachment, createAttachmentCodec, encodeTogether } from "../../src/clusters/attachment.ts"
import { createKeyTreeCodec } from "../../src/key-tree/tree-codec.ts"
import { digestOf } from "../../src/key-tree/digest.ts"
import { branchOf, type Leaf, leafOf, type Node } from "../../src/key-tree/tree.ts"
import { tgdhShape } from "../../src/tgdh/tgdh-shape.ts"
import { balancedTree } from "../../src/tgdh/tree-operations.ts"

const group = createToyGroup()
const codec = createKeyTreeCodec(group, tgdhShape)
const attachments = createAttachmentCodec(group)

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })
const element: fc.Arbitrary<Element> = bytes(64)
  .filter((random) => random.some((byte) => byte !== 0))
  .map((random) => group.multiplyBase(group.randomScalar(random)))
const some = group.multiplyBase(group.randomScalar(new Uint8Array(64).fill(7)))
const memberAt = (i: number): MemberId => i.toString(16).padStart(32, "0") as MemberId

const standing = fc.record({ epochId: bytes(32), stateHash: bytes(32) })
const attachment = fc.oneof(
  fc.record({ share: bytes(8), standing: fc.constant(null), state: fc.constant(new Uint8Array(0)) }),
  fc.record({ share: bytes(8), standing, state: fc.uint8Array({ maxLength: 99 }) }),
)
const message = fc.oneof(
  fc.record({ kind: fc.constant("state" as const), state: fc.uint8Array({ maxLength: 99 }) }),
  fc.record({
    kind: fc.constant("keys" as const),
    round: fc.integer({ min: 1, max: 255 }),
    blinded: fc.array(bytes(8), { minLength: 1, maxLength: 12 }),
  }),
)
const leaf = (i: number, blinded: Element): Leaf => leafOf(memberAt(i), blinded, i * 1_000_000_007)
const known = (node: Node): Node => (node.kind === "leaf" ? node : branchOf(known(node.left), known(node.right), some))
const tree = fc
  .array(element, { minLength: 1, maxLength: 9 })
  .map((elements) => known(balancedTree(elements.map((blinded, i) => leaf(i, blinded)))))

test("decodes what was encoded, and nothing with a byte less or more", () => {
  const property = fc.property(attachment, message, tree, (attachment, message, tree) => {
    expect(attachments.decode(attachments.encode(attachment))).toEqual(attachment)
    expect(codec.decodeMessage(codec.encodeMessage(message))).toEqual(message)
    expect(codec.decodeState(codec.encodeState(tree))).toEqual(tree)
    expectExactLength(attachments.encode(attachment), attachments.decode)
    expectExactLength(codec.encodeState(tree), codec.decodeState)
  })
  fc.assert(property, { numRuns: 60 })
})

function expectExactLength(encoded: Uint8Array, decode: (bytes: Uint8Array) => unknown): void {
  for (let length = 0; length < encoded.length; length++) expect(decode(encoded.subarray(0, length))).toBeNull()
  expect(decode(Uint8Array.of(...encoded, 0))).toBeNull()
}

test("digests differ for trees that differ in a share, key, owner, age or place", () => {
  const property = fc.property(
    fc.array(element, { minLength: 2, maxLength: 40 }),
    element,
    fc.nat(1000),
    (elements, other, at) => {
      const leaves = elements.map((blinded, i) => leaf(i, blinded))
      const whole = known(balancedTree(leaves))
      const i = at % leaves.length
      const { owner, blinded, sinceEpoch } = leaves[i]!
      const changed = [
        leafOf(memberAt(9999), blinded, sinceEpoch),
        leafOf(owner, blinded, sinceEpoch + 1),
        ...(bytesToHex(blinded) === bytesToHex(other) ? [] : [leafOf(owner, other, sinceEpoch)]),
      ].map((one) => known(balancedTree(leaves.with(i, one))))
      const rekeyed = whole.kind === "branch" ? [branchOf(whole.left, whole.right, other)] : []
      const rearranged = known(branchOf(balancedTree(leaves.slice(0, 1)), balancedTree(leaves.slice(1)), null))
      const all = [whole, ...changed, ...rekeyed, rearranged]
      const states = new Set(all.map((one) => bytesToHex(codec.encodeState(one))))
      expect(new Set(all.map((one) => bytesToHex(digestOf(codec, one)))).size).toBe(states.size)
      expect(digestOf(codec, codec.decodeState(codec.encodeState(whole))!)).toEqual(digestOf(codec, whole))
    },
  )
  fc.assert(property, { numRuns: 60 })
})

test("no two views' attachments are the same for a transcript", () => {
  const share = bytes(8)
  const several = fc.array(fc.tuple(share, fc.nat(3), fc.nat(2)), { minLength: 1, maxLength: 6 })
  const standings = [1, 2, 3].map((fill) => ({
    epochId: new Uint8Array(32).fill(fill),
    stateHash: new Uint8Array(32).fill(fill),
  }))
  const viewOf = (entries: readonly (readonly [Uint8Array, number, number])[]): Map<MemberId, Attachment> =>
    new Map(
      entries.map(([share, place, length], i): [MemberId, Attachment] => [
        memberAt(i),
        { share, standing: standings[place - 1] ?? null, state: new Uint8Array(place > 0 ? length : 0) },
      ]),
    )
  const apart = (view: Map<MemberId, Attachment>): string =>
    [...view].map(([id, one]) => id + bytesToHex(attachments.encode(one))).join()
  const together = (view: Map<MemberId, Attachment>): string => bytesToHex(encodeTogether([...view.keys()], view))
  const property = fc.property(several, several, fc.nat(5), (a, b, swapped) => {
    const near = a.with(swapped % a.length, b[0]!)
    for (const other of [viewOf(b), viewOf(near), viewOf(a.toReversed())]) {
      expect(together(viewOf(a)) === together(other)).toBe(apart(viewOf(a)) === apart(other))
    }
  })
  fc.assert(property, { numRuns: 500 })
})

test("refuses a state with two leaves of one owner, too high, too large or no tree", () => {
  expect(codec.decodeState(codec.encodeState(branchOf(leaf(1, some), leaf(1, some), some)))).toBeNull()
  const chain = (height: number): Node =>
    height === 0 ? leaf(0, some) : branchOf(chain(height - 1), leaf(height, some), some)
  expect(codec.decodeState(codec.encodeState(chain(12)))).not.toBeNull()
  expect(codec.decodeState(codec.encodeState(chain(13)))).toBeNull()
  const leaves = (count: number): Node => known(balancedTree(Array.from({ length: count }, (_, i) => leaf(i, some))))
  expect(codec.decodeState(codec.encodeState(leaves(1024)))).not.toBeNull()
  expect(codec.decodeState(codec.encodeState(leaves(1025)))).toBeNull()
  expect(codec.decodeState(new Uint8Array(10_000_000).fill(1))).toBeNull()
  expect(codec.decodeState(new Uint8Array(0))).toBeNull()
})

test("refuses an epoch beyond a safe integer, and keys for no round or no node", () => {
  const state = codec.encodeState(leaf(1, some))
  const epochAt = 1 + 1 + 16
  expect(codec.decodeState(state.with(epochAt + 1, 0x1f))).not.toBeNull()
  expect(codec.decodeState(state.with(epochAt + 1, 0x20))).toBeNull()
  const keys = codec.encodeMessage({ kind: "keys", round: 1, blinded: [some] })
  expect(codec.decodeMessage(keys)).not.toBeNull()
  expect(codec.decodeMessage(keys.with(2, 0))).toBeNull()
  expect(codec.decodeMessage(Uint8Array.of(1, 1, 1, 0))).toBeNull()
  expect(codec.decodeMessage(Uint8Array.of(1, 1, 1, 13, ...new Uint8Array(13 * 8)))).toBeNull()
  expect(codec.decodeMessage(keys.with(0, 2))).toBeNull()
})
