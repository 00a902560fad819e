import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { MemberId } from "../members/ids.ts"
import type { Feature } from "../network/shared/protocol.ts"
import { list, memberId, safeInteger, type ViewId } from "../wire/codec.ts"
import { MEMBERS_MAX, type MemberInstance, type ProposalId } from "../wire/messages.ts"

/** An agreed membership. */
export type View = {
  readonly id: ViewId
  readonly epoch: number
  readonly proposal: ProposalId
  /** Sorted by id. */
  readonly members: readonly MemberInstance[]
  /** The members of this member's transitional set, itself included. */
  readonly transitional: readonly MemberId[]
  /** Protocol features that all members have named in their SYNCs, equal at each of them. */
  readonly features: readonly Feature[]
  /** Attachment of each member's upper layer to its SYNC. */
  readonly attachments: ReadonlyMap<MemberId, Uint8Array>
}

const membersCoder = list(MEMBERS_MAX, P.struct({ id: memberId, incarnation: safeInteger }))
const identityCoder = P.struct({ epoch: safeInteger, coordinator: memberId, members: membersCoder })

/**
 * view id = H(P, S, sorted H(SYNC)). Fresh because every SYNC holds a nonce. Only a modified coordinator can choose
 * among ids: it sees the other SYNCs before it signs its own.
 */
export function computeViewId(
  proposal: ProposalId,
  members: readonly MemberInstance[],
  syncDigests: readonly Uint8Array[],
): ViewId {
  const identity = identityCoder.encode({ ...proposal, members: [...members] })
  const digests = syncDigests.map((digest) => bytesToHex(digest)).sort()
  return hashView("view", identity, utf8ToBytes(digests.join("")))
}

/** Stands for S in a SYNC: in a large view S would be most of its bytes. */
export function digestOfMembers(members: readonly MemberInstance[]): Uint8Array {
  let digest = memberDigests.get(members)
  if (!digest) {
    digest = sha256(concatBytes(utf8ToBytes("keymoot v1 members\0"), membersCoder.encode(members)))
    memberDigests.set(members, digest)
  }
  return digest
}
/** Cache, since it is read with every SYNC of a set. */
const memberDigests = new WeakMap<readonly MemberInstance[], Uint8Array>()

/** The view id of a member before its first view. No other member has it, and nothing can be sent in it. */
export function voidViewId(self: MemberInstance): ViewId {
  return hashView("void", identityCoder.encode({ epoch: 0, coordinator: self.id, members: [self] }))
}

function hashView(domain: "view" | "void", ...parts: Uint8Array[]): ViewId {
  return bytesToHex(sha256(concatBytes(utf8ToBytes(`keymoot v1 ${domain}\0`), ...parts))) as ViewId
}

/** Returns -1 for a member that is not in the list. */
export function indexOfMember(members: readonly MemberInstance[], id: MemberId): number {
  if (members.length < INDEXED_MIN) return members.findIndex((member) => member.id === id)
  let index = indexes.get(members)
  if (!index) indexes.set(members, (index = new Map(members.map((member, i) => [member.id, i]))))
  return index.get(id) ?? -1
}

/** Lists of at least this length are indexed once, since they are searched for every frame and every SYNC. */
const INDEXED_MIN = 16
const indexes = new WeakMap<readonly MemberInstance[], ReadonlyMap<MemberId, number>>()

/** Whether the list contains the same incarnation of the member. */
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
 * The sequencer depends on the view id, not on member ids alone. An attacker can grind its own id to be the lowest, but
 * a view id contains the nonces of all members. Only a modified coordinator can choose it (`computeViewId`).
 */
export function sequencerIndex(view: { readonly id: ViewId; readonly members: readonly MemberInstance[] }): number {
  return Number.parseInt(view.id.slice(0, 8), 16) % view.members.length
}
