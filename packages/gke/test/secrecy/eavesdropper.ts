/**
 * The knowledge of an attacker that kept every scalar of his state, erased or not, and recorded every public element.
 * It is closed under multiplying, hashing and comparing, and under BD adding.
 */
import { bytesToHex } from "@noble/hashes/utils.js"
import { type Element, isRejection, type MemberId, type PrimeOrderGroup, type Scalar } from "@keymoot/gke"
import type { View } from "../harness.ts"
import { createBdCodec } from "../../src/bd/bd-codec.ts"
import { decodeMessage } from "../../src/ckd/ckd-codec.ts"
import { open } from "../../src/ckd/sealing.ts"
import { createAttachmentCodec } from "../../src/clusters/attachment.ts"
import { secretOf } from "../../src/clusters/completed-epoch.ts"
import { nodeDomain } from "../../src/key-tree/climb.ts"
import { createKeyTreeCodec } from "../../src/key-tree/tree-codec.ts"
import type { KeyTreeShape } from "../../src/key-tree/shape.ts"
import type { Node } from "../../src/key-tree/tree.ts"
import { createSeatAttachmentCodec } from "../../src/seniority/seat-attachment.ts"

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

/** All raw secrets, as hex, that follow from these scalars and from the traffic of these views. */
export type DerivableSecrets = (
  group: PrimeOrderGroup,
  scalars: readonly Scalar[],
  views: readonly View[],
) => Set<string>

/** Under TGDH and STR a scalar opens every node whose sibling's blinded key is known, and so up to the root. */
export function derivableInTree(shape: KeyTreeShape): DerivableSecrets {
  return (group, scalars, views) => {
    const elements = publicElements(group, shape, views)
    const secrets = new Set<string>()
    const known = new Map(scalars.map((scalar) => [bytesToHex(scalar), scalar]))
    const blinded = new Set(elements.map((element) => bytesToHex(element)))
    const open = [...known.values()]
    for (let scalar = open.pop(); scalar; scalar = open.pop()) {
      for (const element of elements) {
        const shared = group.multiply(element, scalar)
        secrets.add(bytesToHex(secretOf(shape.module, shared, 2)))
        const key = group.hashToScalar(nodeDomain(shape.module), shared)
        // A scalar whose blinded key nobody ever published is the key of no node, and leads nowhere.
        if (known.has(bytesToHex(key)) || !blinded.has(bytesToHex(group.multiplyBase(key)))) continue
        known.set(bytesToHex(key), key)
        open.push(key)
      }
    }
    return secrets
  }
}

/** Every element in the attachments and multicasts of these views. */
function publicElements(group: PrimeOrderGroup, shape: KeyTreeShape, views: readonly View[]): Element[] {
  const codec = createKeyTreeCodec(group, shape)
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
    if (tree) addTree(tree)
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

/**
 * Under BD a scalar and any Z give something that may be what two neighbours share; from there the X lead round the ring.
 * The eavesdropper cannot know the start, so it tries each place, each Z of the view, and each scalar.
 */
export function derivableInRing(
  group: PrimeOrderGroup,
  scalars: readonly Scalar[],
  views: readonly View[],
): Set<string> {
  const attachments = createAttachmentCodec(group)
  const codec = createBdCodec(group)
  const secrets = new Set<string>()
  for (const { members, attachments: attached, log } of views) {
    const shares = members.map((id) => attachments.decode(attached.get(id)!)!.share as Element)
    const differences = members.flatMap((id) => {
      const sent = log.find(({ from }) => from === id)
      const message = sent && codec.decodeMessage(sent.bytes)
      return message?.kind === "difference" ? [message.difference as Element] : []
    })
    for (const first of scalars.flatMap((scalar) => shares.map((share) => group.multiply(share, scalar)))) {
      secrets.add(bytesToHex(secretOf("bd", first, 2)))
      for (const start of differences.keys()) {
        let [key, sum] = [first, first]
        for (let step = 0; step < differences.length - 1; step++) {
          key = group.add(key, differences[(start + step) % differences.length]!)
          sum = group.add(sum, key)
        }
        secrets.add(bytesToHex(secretOf("bd", sum, differences.length)))
      }
    }
  }
  return secrets
}

/** Under CKD a scalar and any share give something that may open any seal of the view. */
export function derivableFromSeals(
  group: PrimeOrderGroup,
  scalars: readonly Scalar[],
  views: readonly View[],
): Set<string> {
  const attachments = createSeatAttachmentCodec(group.elementBytes)
  const secrets = new Set<string>()
  for (const { sid, members, attachments: attached, log } of views) {
    const shareOf = (id: MemberId): Element => attachments.decode(attached.get(id)!)!.share as Element
    for (const { from: controller, bytes } of log) {
      const others = members.filter((id) => id !== controller)
      const { sealed } = decodeMessage(bytes)!
      for (const [i, member] of others.entries()) {
        for (const peer of [shareOf(controller), shareOf(member)]) {
          for (const scalar of scalars) {
            const secret = open(group, scalar, peer, { sid, controller, member }, sealed[i]!)
            if (secret) secrets.add(bytesToHex(secretOf("ckd", secret, members.length)))
          }
        }
      }
    }
  }
  return secrets
}
