/**
 * The payloads of group frames, each as type and codec side by side. Which of them a frame holds says its kind.
 * Bounds are for the full mesh of `meshMax` members.
 */
import { equalBytes } from "@noble/curves/utils.js"
import * as P from "micro-packed"
import type { MemberId } from "../ids.ts"
import { byteString, list, memberId, safeInteger, viewId, type ViewId } from "./codec.ts"

/** Members of one view at most (beyond this the overlay of the next version is needed). */
export const MEMBERS_MAX = 24
/** Payload of one application or agreement frame. */
export const BODY_BYTES_MAX = 512 * 1024
/** What the layer above may attach to a SYNC. */
export const ATTACHMENT_BYTES_MAX = 64 * 1024
/** Entries of one ORDER frame, and of the ORDER prefix in a SYNC. */
export const ORDER_ENTRIES_MAX = 2048
/** One signed frame inside a CUT or an INSTALL, of which one message over a link (4 MiB) must hold `MEMBERS_MAX`. */
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
const orderEntry: P.CoderType<OrderEntry> = P.struct({ sender: P.U8, sequence: P.U32BE, digest: P.bytes(32) })

export function sameEntry(a: OrderEntry, b: OrderEntry): boolean {
  return a.sender === b.sender && a.sequence === b.sequence && equalBytes(a.digest, b.digest)
}

const memberVector = list(MEMBERS_MAX, P.U32BE)

/** Neighbour to neighbour, protected by the association alone. */
export type Heartbeat = {
  readonly incarnation: number
  readonly view: ViewId
  readonly epoch: number
  readonly promised: ProposalId
  readonly viewMembers: readonly MemberInstance[]
  /** Neighbours that the sender holds unsuspected and linked. */
  readonly up: readonly MemberId[]
  /** Contiguously received per member of `viewMembers`; frames below everybody's count are stable. */
  readonly received: readonly number[]
  readonly orderLength: number
}
export const heartbeatCoder = P.struct({
  incarnation: safeInteger,
  view: viewId,
  epoch: safeInteger,
  promised: proposalId,
  viewMembers: list(MEMBERS_MAX, memberInstance),
  up: list(4 * MEMBERS_MAX, memberId),
  received: memberVector,
  orderLength: P.U32BE,
})

/** `dependencies[i]`: how many frames of the view's i-th member the sender had delivered (causal past). */
export type GroupMessage = { readonly dependencies: readonly number[]; readonly body: Uint8Array }
const groupMessage = P.struct({ dependencies: memberVector, body: byteString(BODY_BYTES_MAX) })

export type Propose = { readonly proposal: ProposalId; readonly members: readonly MemberInstance[] }
const propose = P.struct({ proposal: proposalId, members: list(MEMBERS_MAX, memberInstance) })

/** Says which proposal stands in the way, so that the next attempt is above it. */
export type Nack = { readonly proposal: ProposalId; readonly promised: ProposalId }
const nack = P.struct({ proposal: proposalId, promised: proposalId })

export type Sync = {
  readonly proposal: ProposalId
  /** H(conference, descriptor, S) is in the frame's conference tag and here, so a SYNC serves one proposal only. */
  readonly members: readonly MemberInstance[]
  readonly previousView: ViewId
  readonly incarnation: number
  readonly received: readonly number[]
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
  members: list(MEMBERS_MAX, memberInstance),
  previousView: viewId,
  incarnation: safeInteger,
  received: memberVector,
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
const fetch = P.struct({ proposal: proposalId, sender: P.U8, from: P.U32BE, to: P.U32BE })

export type AckCut = { readonly proposal: ProposalId }
const ackCut = P.struct({ proposal: proposalId })

export type Order = { readonly first: number; readonly entries: readonly OrderEntry[] }
const order = P.struct({ first: P.U32BE, entries: list(ORDER_ENTRIES_MAX, orderEntry) })

const leave = P.struct({ incarnation: safeInteger })

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
}
