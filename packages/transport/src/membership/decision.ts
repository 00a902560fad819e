/**
 * What a complete set of signed SYNCs decides, the same at everybody who holds them: view id, who moves together,
 * which messages they deliver first, and who can serve a missing one.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { computeViewId, indexOfMember, sameInstances } from "../group/view.ts"
import type { MemberId } from "../ids.ts"
import type { ViewId } from "../wire/codec.ts"
import { frameDigest, type Frame } from "../wire/frame.ts"
import { compareProposals, type MemberInstance, type OrderEntry, type ProposalId, type Sync } from "../wire/messages.ts"

export type SyncFrame = Frame & { readonly kind: "sync"; readonly message: Sync }

/** For members that come from one previous view together. */
export type Cut = {
  readonly transitional: readonly MemberId[]
  /** Per member of the previous view: how many frames are delivered at the end of it, before causal closure. */
  readonly upTo: readonly number[]
  readonly orderFirst: number
  readonly order: readonly OrderEntry[]
  /** g*: ORDER entries that somebody has delivered already. */
  readonly deliveredOrder: number
  /** Nothing is missing anywhere. */
  readonly equal: boolean
  /** Per member of the previous view: who holds all of `upTo`. */
  readonly holders: readonly (readonly MemberId[])[]
}

/** Null unless there is exactly one well-formed SYNC of each member, all for this proposal. */
export function completeSyncs(
  proposal: ProposalId,
  members: readonly MemberInstance[],
  frames: readonly Frame[],
): Map<MemberId, SyncFrame> | null {
  const syncs = new Map<MemberId, SyncFrame>()
  for (const frame of frames) {
    if (frame.kind !== "sync") return null
    const sync = frame.message
    const instance = members[indexOfMember(members, frame.origin)]
    if (instance?.incarnation !== sync.incarnation || !sameInstances(sync.members, members)) return null
    if (compareProposals(sync.proposal, proposal) !== 0) return null
    syncs.set(frame.origin, frame)
  }
  return syncs.size === members.length && frames.length === members.length ? syncs : null
}

export function viewIdOf(
  proposal: ProposalId,
  members: readonly MemberInstance[],
  syncs: ReadonlyMap<MemberId, SyncFrame>,
): ViewId {
  return computeViewId(proposal, members, [...syncs.values()].map(frameDigest))
}

/** The cut of those who come from `previousView`, whose members were `previousMembers`. */
export function computeCut(
  syncs: ReadonlyMap<MemberId, SyncFrame>,
  previousView: ViewId,
  previousMembers: readonly MemberInstance[],
): Cut {
  const movers = [...syncs.values()]
    .filter((frame) => comesFrom(frame, previousView, previousMembers))
    .sort((a, b) => (a.origin < b.origin ? -1 : 1))
  const reports = movers.map((frame) => frame.message)
  const upTo = previousMembers.map((_, sender) => Math.max(0, ...reports.map((sync) => sync.received[sender]!)))
  const longest = reports.reduce<Sync | null>((best, sync) => (best && end(best) >= end(sync) ? best : sync), null)
  return {
    transitional: movers.map((frame) => frame.origin),
    upTo,
    orderFirst: longest?.orderFirst ?? 0,
    order: longest?.order ?? [],
    deliveredOrder: Math.max(0, ...reports.map((sync) => sync.deliveredOrder)),
    equal: reports.every(
      (sync) => end(sync) === end(longest!) && upTo.every((count, sender) => sync.received[sender] === count),
    ),
    holders: upTo.map((count, sender) =>
      movers.filter((frame) => frame.message.received[sender]! >= count).map((frame) => frame.origin),
    ),
  }
}

/** True when members of every class hold the same already, so that CUT and its acknowledgements can be skipped. */
export function nothingMissing(syncs: ReadonlyMap<MemberId, SyncFrame>): boolean {
  const first = new Map<ViewId, Sync>()
  for (const { message } of syncs.values()) {
    const other = first.get(message.previousView)
    if (!other) first.set(message.previousView, message)
    else if (end(other) !== end(message) || !sameCounts(other.received, message.received)) return false
  }
  return true
}

export function sameStaticPart(a: Frame, b: Uint8Array): boolean {
  return equalBytes(a.staticPart, b)
}

function comesFrom(frame: SyncFrame, view: ViewId, members: readonly MemberInstance[]): boolean {
  const { previousView, incarnation, received } = frame.message
  const instance = members[indexOfMember(members, frame.origin)]
  return previousView === view && instance?.incarnation === incarnation && received.length === members.length
}

function end(sync: Sync): number {
  return sync.orderFirst + sync.order.length
}

function sameCounts(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((count, i) => count === b[i])
}
