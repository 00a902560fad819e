/**
 * The payloads of group frames, each as type and codec side by side. The frame's kind determines the payload. Lists are
 * bounded for the largest view that the formats support.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { MemberId } from "../members/ids.ts"
import { featureList, type Feature } from "../network/shared/protocol.ts"
import { byteString, list, memberId, safeInteger, sparseList, viewId, type ViewId } from "./codec.ts"

/** Members that any message can name. The group determines how many a view has (`membersMax`). */
export const MEMBERS_MAX = 320
/** Payload of one application or agreement frame. */
export const BODY_BYTES_MAX = 512 * 1024
/** The attachment of the layer above to a SYNC. */
export const ATTACHMENT_BYTES_MAX = 64 * 1024
/** Entries of one ORDER frame, and of the ORDER prefix in a SYNC. */
export const ORDER_ENTRIES_MAX = 2048
/** One signed frame inside a CUT or an INSTALL. One message over a link (4 MiB) must hold those of a full mesh. */
export const SYNC_BYTES_MAX = 160 * 1024

/** A member in one of its incarnations: a reload is a new incarnation of the same member. */
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

/** Digest of sender, sequence and digest. */
export function entryDigest(entry: OrderEntry): Uint8Array {
  return sha256(orderEntry.encode(entry))
}

/** Sparse: in a large view most members have sent nothing, and take no bytes. */
const memberVector = sparseList(MEMBERS_MAX, P.U32BE, 0, (count) => count === 0)

/** The frames and ORDER entries of its view that a member holds. Those that all members hold are stable. */
export type Acknowledgement = {
  readonly view: ViewId
  /** Per member of the view: frames received without a gap. */
  readonly received: readonly number[]
  readonly orderLength: number
  /** Up to this place of the ORDER it holds bodies, entries and their whole causal past. */
  readonly acknowledged: number
  /**
   * 8 bytes per member, of the hash chain over its `received` frames, or zeros before the first. One array, since they
   * are compared very often.
   */
  readonly frameChains: Uint8Array
  /** The same over the ORDER. */
  readonly orderChain: Uint8Array
}
/**
 * Bytes of a hash chain in acknowledgements. A collision ground for this length does not pass the full digest at the
 * end of the view.
 */
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

/** From neighbour to neighbour, protected by the association alone. */
export type Heartbeat = Acknowledgement & {
  readonly incarnation: number
  readonly epoch: number
  readonly promised: ProposalId
  readonly viewMembers: readonly MemberInstance[]
  /** Neighbours that the sender holds up: linked and not suspected. */
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

/** Number of frames of the view's `member`-th member that the sender had delivered. */
export type Dependency = { readonly member: number; readonly count: number }
const dependency: P.CoderType<Dependency> = P.struct({ member: P.U16BE, count: P.U32BE })

/** Sparse: members in ascending order, without those of which nothing was delivered. */
const dependencies = P.validate(list(MEMBERS_MAX, dependency), (named) => {
  const canonical = named.every(({ member, count }, i) => count > 0 && (i === 0 || named[i - 1]!.member < member))
  if (!canonical) throw new RangeError("dependencies out of order or empty")
  return named
})

/**
 * `dependencies`: the causal past of a causal, agreed or safe message. Its sender's own earlier messages are implied.
 */
export type GroupMessage = { readonly dependencies: readonly Dependency[]; readonly body: Uint8Array }
const groupMessage = P.struct({ dependencies, body: byteString(BODY_BYTES_MAX) })

export type Propose = { readonly proposal: ProposalId; readonly members: readonly MemberInstance[] }
const propose = P.struct({ proposal: proposalId, members: list(MEMBERS_MAX, memberInstance) })

/** States the conflicting proposal, so that the next attempt is above it. */
export type Nack = { readonly proposal: ProposalId; readonly promised: ProposalId }
const nack = P.struct({ proposal: proposalId, promised: proposalId })

export type Sync = {
  readonly proposal: ProposalId
  /**
   * SHA-256 over S. Conference and descriptor are in the frame's conference tag. So a SYNC is valid for one proposal
   * only.
   */
  readonly membersDigest: Uint8Array
  readonly previousView: ViewId
  readonly incarnation: number
  /** Protocol features of this member. A view uses those that all of its members name. */
  readonly features: readonly Feature[]
  readonly received: readonly number[]
  /**
   * SHA-256 over the hash chains of those frames, each sender's at its count. It differs if a member holds another
   * frame under one of these numbers. Full length, since an equivocating sender has time to search for two frames that
   * collide.
   */
  readonly receivedDigest: Uint8Array
  /** ORDER entries from `orderFirst` on, as far as known. Every member of the previous view knows those below. */
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
  features: featureList,
  received: memberVector,
  receivedDigest: P.bytes(32),
  orderFirst: P.U32BE,
  order: list(ORDER_ENTRIES_MAX, orderEntry),
  deliveredOrder: P.U32BE,
  nonce: P.bytes(16),
  attachment: byteString(ATTACHMENT_BYTES_MAX),
})

/**
 * All signed SYNCs of the proposal. Each member computes cut, order and view id from them and trusts no other member.
 */
export type SyncSet = { readonly proposal: ProposalId; readonly syncs: readonly Uint8Array[] }
const syncSet = P.struct({ proposal: proposalId, syncs: list(MEMBERS_MAX, byteString(SYNC_BYTES_MAX)) })

/** Requests frames of the view `from < sequence <= to` of one sender. */
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

/** Body of one message between members of a roster. A decision of majority with 1024 members has 85 KB. */
export const ROSTER_BODY_BYTES_MAX = 128 * 1024
/** Bodies in one roster frame. */
export const ROSTER_BODIES_MAX = 64

/**
 * From one member of a roster to another, outside of views. `incarnation` is the origin's, whose bodies to this
 * addressee are numbered from 1. Bodies below `base` were dropped. `bodies` are numbered from `first`. `acknowledged`:
 * number up to which the bodies of the addressee's incarnation `peerIncarnation` were received. Without bodies it only
 * acknowledges.
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
/** Numbers stay below 2^32, so that the acknowledgement can be encoded. */
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
