/**
 * The payloads of group frames, each as type and codec side by side. Which of them a frame holds says its kind.
 * Lists are bounded for the largest view that the formats are made for.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { MemberId } from "../ids.ts"
import { byteString, list, memberId, safeInteger, sparseList, viewId, type ViewId } from "./codec.ts"

/** Members that any message can name; how many a view takes is the group's to say (`membersMax`). */
export const MEMBERS_MAX = 320
/** Payload of one application or agreement frame. */
export const BODY_BYTES_MAX = 512 * 1024
/** What the layer above may attach to a SYNC. */
export const ATTACHMENT_BYTES_MAX = 64 * 1024
/** Entries of one ORDER frame, and of the ORDER prefix in a SYNC. */
export const ORDER_ENTRIES_MAX = 2048
/** One signed frame inside a CUT or an INSTALL, of which one message over a link (4 MiB) must hold those of a full mesh. */
export const SYNC_BYTES_MAX = 160 * 1024

/** A member in one of its lives: a reload is a new incarnation of the same member. */
export type MemberInstance = { readonly id: MemberId; readonly incarnation: number }
const memberInstance: P.CoderType<MemberInstance> = P.struct({ id: memberId, incarnation: safeInteger })

/** Names one attempt to install a view; ordered by epoch, then coordinator. */
export type ProposalId = { readonly epoch: number; readonly coordinator: MemberId }
const proposalId: P.CoderType<ProposalId> = P.struct({ epoch: safeInteger, coordinator: memberId })

export function compareProposals(a: ProposalId, b: ProposalId): number {
  if (a.epoch !== b.epoch) return a.epoch - b.epoch
  return a.coordinator < b.coordinator ? -1 : a.coordinator > b.coordinator ? 1 : 0
}

/** (sender as index into the view's sorted members, its sequence number, SHA-256 of the frame's static part). */
export type OrderEntry = { readonly sender: number; readonly sequence: number; readonly digest: Uint8Array }
const orderEntry: P.CoderType<OrderEntry> = P.struct({ sender: P.U16BE, sequence: P.U32BE, digest: P.bytes(32) })

export function sameEntry(a: OrderEntry, b: OrderEntry): boolean {
  return a.sender === b.sender && a.sequence === b.sequence && equalBytes(a.digest, b.digest)
}

/** Over sender, sequence and digest. */
export function entryDigest(entry: OrderEntry): Uint8Array {
  return sha256(orderEntry.encode(entry))
}

/** Of most members of a large view nothing has come: they take no bytes. */
const memberVector = sparseList(MEMBERS_MAX, P.U32BE, 0, (count) => count === 0)

/** What a member holds of its view. Frames and entries below everybody's counts are stable. */
export type Acknowledgement = {
  readonly view: ViewId
  /** Contiguously received per member of the view. */
  readonly received: readonly number[]
  readonly orderLength: number
  /** Up to this place of the ORDER it holds bodies, entries and their whole causal past. */
  readonly acknowledged: number
  /** 8 bytes a member, in one array, since they are compared very often: of the hash chain over its `received` frames; zeros before the first. */
  readonly frameChains: Uint8Array
  /** The same over the ORDER. */
  readonly orderChain: Uint8Array
}
/** Of a hash chain, in acknowledgements. What is ground to pass for something else here does not at the end of the view. */
export const CHAIN_BYTES = 8
const chainHash = P.bytes(CHAIN_BYTES)
const NO_CHAIN = new Uint8Array(CHAIN_BYTES)
const frameChains: P.CoderType<Uint8Array> = P.apply(
  sparseList(MEMBERS_MAX, chainHash, NO_CHAIN, (hash) => equalBytes(hash, NO_CHAIN)),
  {
    encode: (hashes) => concatBytes(...hashes),
    decode: (all: Uint8Array) =>
      Array.from({ length: all.length / CHAIN_BYTES }, (_, i) => all.subarray(i * CHAIN_BYTES, (i + 1) * CHAIN_BYTES)),
  },
)
const acknowledgementFields = {
  view: viewId,
  received: memberVector,
  orderLength: P.U32BE,
  acknowledged: P.U32BE,
  frameChains,
  orderChain: chainHash,
}
export const acknowledgementCoder: P.CoderType<Acknowledgement> = P.struct(acknowledgementFields)

/** Neighbour to neighbour, protected by the association alone. */
export type Heartbeat = Acknowledgement & {
  readonly incarnation: number
  readonly epoch: number
  readonly promised: ProposalId
  readonly viewMembers: readonly MemberInstance[]
  /** Neighbours that the sender holds unsuspected and linked. */
  readonly up: readonly MemberId[]
}
export const heartbeatCoder: P.CoderType<Heartbeat> = P.struct({
  incarnation: safeInteger,
  epoch: safeInteger,
  promised: proposalId,
  viewMembers: list(MEMBERS_MAX, memberInstance),
  up: list(MEMBERS_MAX, memberId),
  ...acknowledgementFields,
})

/** How many frames of the view's `member`-th member the sender had delivered. */
export type Dependency = { readonly member: number; readonly count: number }
const dependency: P.CoderType<Dependency> = P.struct({ member: P.U16BE, count: P.U32BE })

/** Sparse: members in ascending order, those of whom nothing was delivered left out. */
const dependencies = P.validate(list(MEMBERS_MAX, dependency), (named) => {
  const canonical = named.every(({ member, count }, i) => count > 0 && (i === 0 || named[i - 1]!.member < member))
  if (!canonical) throw new RangeError("dependencies out of order or empty")
  return named
})

/** `dependencies`: the causal past of a causal, agreed or safe message, its sender's own earlier messages understood. */
export type GroupMessage = { readonly dependencies: readonly Dependency[]; readonly body: Uint8Array }
const groupMessage = P.struct({ dependencies, body: byteString(BODY_BYTES_MAX) })

export type Propose = { readonly proposal: ProposalId; readonly members: readonly MemberInstance[] }
const propose = P.struct({ proposal: proposalId, members: list(MEMBERS_MAX, memberInstance) })

/** Says which proposal stands in the way, so that the next attempt is above it. */
export type Nack = { readonly proposal: ProposalId; readonly promised: ProposalId }
const nack = P.struct({ proposal: proposalId, promised: proposalId })

export type Sync = {
  readonly proposal: ProposalId
  /** SHA-256 over S; conference and descriptor are in the frame's conference tag. So a SYNC serves one proposal only. */
  readonly membersDigest: Uint8Array
  readonly previousView: ViewId
  readonly incarnation: number
  readonly received: readonly number[]
  /**
   * SHA-256 over the hash chains of those frames, each sender's at its count: who holds another frame under one of these
   * numbers shows it. Whole, as the one who sends two frames can look for two that fit, and has time to.
   */
  readonly receivedDigest: Uint8Array
  /** ORDER entries from `orderFirst` on, as far as known; everything below is known to all of the previous view. */
  readonly orderFirst: number
  readonly order: readonly OrderEntry[]
  /** g: ORDER entries delivered. */
  readonly deliveredOrder: number
  readonly nonce: Uint8Array
  readonly attachment: Uint8Array
}
const sync = P.struct({
  proposal: proposalId,
  membersDigest: P.bytes(32),
  previousView: viewId,
  incarnation: safeInteger,
  received: memberVector,
  receivedDigest: P.bytes(32),
  orderFirst: P.U32BE,
  order: list(ORDER_ENTRIES_MAX, orderEntry),
  deliveredOrder: P.U32BE,
  nonce: P.bytes(16),
  attachment: byteString(ATTACHMENT_BYTES_MAX),
})

/** All signed SYNCs of the proposal: everybody computes cut, order and view id from them and takes nobody's word. */
export type SyncSet = { readonly proposal: ProposalId; readonly syncs: readonly Uint8Array[] }
const syncSet = P.struct({ proposal: proposalId, syncs: list(MEMBERS_MAX, byteString(SYNC_BYTES_MAX)) })

/** Frames of the view `from < sequence <= to` of one sender. */
export type Fetch = {
  readonly proposal: ProposalId
  readonly sender: number
  readonly from: number
  readonly to: number
}
const fetch = P.struct({ proposal: proposalId, sender: P.U16BE, from: P.U32BE, to: P.U32BE })

export type AckCut = { readonly proposal: ProposalId }
const ackCut = P.struct({ proposal: proposalId })

export type Order = { readonly first: number; readonly entries: readonly OrderEntry[] }
const order = P.struct({ first: P.U32BE, entries: list(ORDER_ENTRIES_MAX, orderEntry) })

const leave = P.struct({ incarnation: safeInteger })

/** Body of one message between members of a roster: a decision of majority at 1024 members has 85 KB. */
export const ROSTER_BODY_BYTES_MAX = 128 * 1024
/** Bodies in one roster frame. */
export const ROSTER_BODIES_MAX = 64

/**
 * From one member of a roster to another, in no view. `incarnation` is the origin's, whose bodies to this addressee are
 * numbered from 1. Those below `base` it has given up; `bodies` are numbered from `first`. Of those that the addressee's
 * life `peerIncarnation` has sent, everything up to `acknowledged` has been taken. Without bodies it only acknowledges.
 */
export type RosterMessage = {
  readonly to: MemberId
  readonly incarnation: number
  readonly base: number
  readonly first: number
  readonly bodies: readonly Uint8Array[]
  readonly peerIncarnation: number
  readonly acknowledged: number
}
const rosterFields = P.struct({
  to: memberId,
  incarnation: safeInteger,
  base: P.U32BE,
  first: P.U32BE,
  bodies: list(ROSTER_BODIES_MAX, byteString(ROSTER_BODY_BYTES_MAX)),
  peerIncarnation: safeInteger,
  acknowledged: P.U32BE,
})
/** Numbers stay below 2^32, so that what is acknowledged in answer can be written. */
const roster: P.CoderType<P.UnwrapCoder<typeof rosterFields>> = P.validate(rosterFields, (message) => {
  const { base, first, bodies } = message
  if (base < 1 || first < base || first + bodies.length >= 2 ** 32) throw new RangeError("numbers out of order")
  return message
})

export const payloadCoders = {
  data: groupMessage,
  agreement: groupMessage,
  propose,
  nack,
  sync,
  cut: syncSet,
  install: syncSet,
  fetch,
  ackCut,
  order,
  leave,
  roster,
}
