import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { MemberId } from "../ids.ts"
import { list, memberId, safeInteger, type ViewId } from "../wire/codec.ts"
import { MEMBERS_MAX, type MemberInstance, type ProposalId } from "../wire/messages.ts"

/** An agreed membership. */
export type View = {
  readonly id: ViewId
  readonly epoch: number
  readonly proposal: ProposalId
  /** Sorted by id. */
  readonly members: readonly MemberInstance[]
  /** Who came along with this member from its previous view, itself included. */
  readonly transitional: readonly MemberId[]
  /** What each member's upper layer attached to its SYNC. */
  readonly attachments: ReadonlyMap<MemberId, Uint8Array>
}

const membersCoder = list(MEMBERS_MAX, P.struct({ id: memberId, incarnation: safeInteger }))
const identityCoder = P.struct({ epoch: safeInteger, coordinator: memberId, members: membersCoder })

/** view id = H(P, S, sorted H(SYNC)): fresh because every SYNC holds a nonce, and nobody's to choose alone. */
export function computeViewId(
  proposal: ProposalId,
  members: readonly MemberInstance[],
  syncDigests: readonly Uint8Array[],
): ViewId {
  const identity = identityCoder.encode({ ...proposal, members: [...members] })
  const digests = syncDigests.map((digest) => bytesToHex(digest)).sort()
  return hashView("view", identity, utf8ToBytes(digests.join("")))
}

/** What a SYNC says of S, in whose place it stands: in a large view S would be most of it. */
export function digestOfMembers(members: readonly MemberInstance[]): Uint8Array {
  let digest = memberDigests.get(members)
  if (!digest) {
    digest = sha256(concatBytes(utf8ToBytes("keymoot v1 members\0"), membersCoder.encode(members)))
    memberDigests.set(members, digest)
  }
  return digest
}
/** Asked for with every SYNC of a set. */
const memberDigests = new WeakMap<readonly MemberInstance[], Uint8Array>()

/** Where a member is before its first view: a class of its own, in which nothing can be sent. */
export function voidViewId(self: MemberInstance): ViewId {
  return hashView("void", identityCoder.encode({ epoch: 0, coordinator: self.id, members: [self] }))
}

function hashView(domain: "view" | "void", ...parts: Uint8Array[]): ViewId {
  return bytesToHex(sha256(concatBytes(utf8ToBytes(`keymoot v1 ${domain}\0`), ...parts))) as ViewId
}

/** -1 for who is not among them. */
export function indexOfMember(members: readonly MemberInstance[], id: MemberId): number {
  if (members.length < INDEXED_MIN) return members.findIndex((member) => member.id === id)
  let index = indexes.get(members)
  if (!index) indexes.set(members, (index = new Map(members.map((member, i) => [member.id, i]))))
  return index.get(id) ?? -1
}

/** Lists of so many are looked up again and again, for every frame and every SYNC: they are indexed once. */
const INDEXED_MIN = 16
const indexes = new WeakMap<readonly MemberInstance[], ReadonlyMap<MemberId, number>>()

/** Whether the same life of the member is among them. */
export function hasInstance(members: readonly MemberInstance[], { id, incarnation }: MemberInstance): boolean {
  return members[indexOfMember(members, id)]?.incarnation === incarnation
}

export function sameInstances(a: readonly MemberInstance[], b: readonly MemberInstance[]): boolean {
  return (
    a === b ||
    (a.length === b.length &&
      a.every((member, i) => member.id === b[i]?.id && member.incarnation === b[i]?.incarnation))
  )
}

/**
 * The sequencer is a function of the view, not of member ids alone: an id can be ground to be the lowest, a view id
 * holds everybody's nonce.
 */
export function sequencerIndex(view: { readonly id: ViewId; readonly members: readonly MemberInstance[] }): number {
  return Number.parseInt(view.id.slice(0, 8), 16) % view.members.length
}

export function isSequencer(view: View, self: MemberId): boolean {
  return view.members[sequencerIndex(view)]?.id === self
}
