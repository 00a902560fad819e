/**
 * What somebody can compute who has kept every scalar that ever passed through his state, erased or not, and has recorded
 * every public element: everything that multiplying, hashing and comparing gives.
 */
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Element, PrimeOrderGroup, Scalar } from "@keymoot/gke"
import { isRejection } from "@keymoot/gke"
import type { View } from "./harness.ts"
import { createAttachmentCodec } from "../src/clusters/attachment.ts"
import { secretOf } from "../src/clusters/completed-epoch.ts"
import { createKeyTreeCodec } from "../src/key-tree/codec.ts"
import { leavesOf } from "../src/key-tree/tree.ts"
import type { Node } from "../src/key-tree/tree.ts"
import { tgdhShape } from "../src/tgdh/shape.ts"

/** A group that remembers every secret scalar it gave out. `buffers`: the very buffers; `copies`: what they held. */
export type Recorded = { readonly group: PrimeOrderGroup; readonly buffers: Scalar[]; readonly copies: Scalar[] }

export function recording(group: PrimeOrderGroup): Recorded {
  const buffers: Scalar[] = []
  const copies: Scalar[] = []
  const keep = (scalar: Scalar): Scalar => {
    buffers.push(scalar)
    copies.push(scalar.slice() as Scalar)
    return scalar
  }
  return {
    buffers,
    copies,
    group: {
      ...group,
      randomScalar: (random) => keep(group.randomScalar(random)),
      hashToScalar: (domain, e) => keep(group.hashToScalar(domain, e)),
    },
  }
}

/** Every element in the attachments and multicasts of these views. */
export function publicElements(group: PrimeOrderGroup, views: readonly View[]): Element[] {
  const codec = createKeyTreeCodec(group, tgdhShape)
  const attachments = createAttachmentCodec(group)
  const elements = new Map<string, Element>()
  const add = (bytes: Uint8Array): void => {
    const element = group.decode(bytes)
    if (!isRejection(element)) elements.set(bytesToHex(element), element)
  }
  const addTree = (node: Node): void => {
    if (node.blinded) add(node.blinded)
    if (node.kind === "branch") [node.left, node.right].forEach(addTree)
  }
  const addState = (bytes: Uint8Array): void => {
    const tree = codec.decodeState(bytes)
    if (tree && leavesOf(tree).length > 0) addTree(tree)
  }
  for (const view of views) {
    for (const bytes of view.attachments.values()) {
      const attachment = attachments.decode(bytes)!
      add(attachment.share)
      addState(attachment.state)
    }
    for (const { bytes } of view.log) {
      const message = codec.decodeMessage(bytes)!
      if (message.kind === "state") addState(message.state)
      else message.blinded.forEach(add)
    }
  }
  return [...elements.values()]
}

/** All raw secrets, as hex, that follow from these scalars and elements. */
export function derivableSecrets(
  group: PrimeOrderGroup,
  scalars: readonly Scalar[],
  elements: readonly Element[],
): Set<string> {
  const secrets = new Set<string>()
  const known = new Map(scalars.map((scalar) => [bytesToHex(scalar), scalar]))
  const blinded = new Set(elements.map((element) => bytesToHex(element)))
  const open = [...known.values()]
  for (let scalar = open.pop(); scalar; scalar = open.pop()) {
    for (const element of elements) {
      const shared = group.multiply(element, scalar)
      secrets.add(bytesToHex(secretOf("tgdh", shared, 2)))
      const key = group.hashToScalar("keymoot v1 tgdh node key", shared)
      // A scalar whose blinded key nobody ever published is the key of no node, and leads nowhere.
      if (known.has(bytesToHex(key)) || !blinded.has(bytesToHex(group.multiplyBase(key)))) continue
      known.set(bytesToHex(key), key)
      open.push(key)
    }
  }
  return secrets
}
