/**
 * What a complete set of signed SYNCs decides, the same at everybody who holds them: view id, who moves together,
 * which messages they deliver first, and who can serve a missing one.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { computeViewId, digestOfMembers, indexOfMember } from "../group/view.ts"
import type { MemberId } from "../ids.ts"
import type { ViewId } from "../wire/codec.ts"
import { frameDigest, type Frame } from "../wire/frame.ts"
import {
  compareProposals,
  sameEntry,
  type MemberInstance,
  type OrderEntry,
  type ProposalId,
  type Sync,
} from "../wire/messages.ts"

export type SyncFrame = Frame & { readonly kind: "sync"; readonly message: Sync }

/** For members that come from one previous view together. */
export type Cut = {
  readonly transitional: readonly MemberId[]
  /** Per member of the previous view: how many frames are delivered at the end of it, before causal closure. */
  readonly upTo: readonly number[]
  /** By place (from 0): what is known of the ORDER, not everywhere without a gap. */
  readonly order: ReadonlyMap<number, OrderEntry>
  /** g*: ORDER entries that somebody has delivered already. */
  readonly deliveredOrder: number
  /** Who holds all of `upTo` of that member of the previous view. */
  readonly holdersOf: (sender: number) => readonly MemberId[]
}

/** Null unless there is exactly one well-formed SYNC of each member, all for this proposal. */
export function completeSyncs(
  proposal: ProposalId,
  members: readonly MemberInstance[],
  frames: readonly Frame[],
): Map<MemberId, SyncFrame> | null {
  const syncs = new Map<MemberId, SyncFrame>()
  const digest = digestOfMembers(members)
  for (const frame of frames) {
    if (frame.kind !== "sync") return null
    const sync = frame.message
    const instance = members[indexOfMember(members, frame.origin)]
    if (instance?.incarnation !== sync.incarnation || !equalBytes(sync.membersDigest, digest)) return null
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
  const upTo = previousMembers.map(() => 0)
  for (const { received } of reports) {
    for (let sender = 0; sender < upTo.length; sender++) {
      if (received[sender]! > upTo[sender]!) upTo[sender] = received[sender]!
    }
  }
  return {
    transitional: movers.map((frame) => frame.origin),
    upTo,
    order: knownOrder(reports),
    deliveredOrder: Math.max(0, ...reports.map((sync) => sync.deliveredOrder)),
    holdersOf: (sender) =>
      movers.filter((frame) => frame.message.received[sender]! >= upTo[sender]!).map((frame) => frame.origin),
  }
}

/**
 * Place by place what most of the movers name, of equals the first: the same at all of them. The longest prefix would not
 * do: one that lies about where its prefix begins or ends could keep the honest ones' entries from each other, who would
 * then deliver in different orders.
 */
function knownOrder(reports: readonly Sync[]): Map<number, OrderEntry> {
  const claims = new Map<number, { readonly entry: OrderEntry; count: number }[]>()
  for (const { orderFirst, order } of reports) {
    for (const [i, entry] of order.entries()) {
      const place = claims.get(orderFirst + i)
      const claim = place?.find((other) => sameEntry(other.entry, entry))
      if (claim) claim.count++
      else if (place) place.push({ entry, count: 1 })
      else claims.set(orderFirst + i, [{ entry, count: 1 }])
    }
  }
  const known = new Map<number, OrderEntry>()
  for (const [at, place] of claims) {
    known.set(at, place.reduce((best, claim) => (claim.count > best.count ? claim : best)).entry)
  }
  return known
}

/**
 * Those who alone claim to hold what others of their class lack, and nobody can fetch it elsewhere: when a cut does not get
 * complete, it is for one of them to have served it.
 */
export function soleHolders(syncs: ReadonlyMap<MemberId, SyncFrame>): MemberId[] {
  const frames = [...syncs.values()]
  const sole = frames.filter(({ origin, message }) => {
    const companions = frames.filter(
      (other) =>
        other.origin !== origin &&
        other.message.previousView === message.previousView &&
        other.message.received.length === message.received.length,
    )
    if (companions.length === 0) return false
    return message.received.some((count, sender) =>
      companions.every((other) => other.message.received[sender]! < count),
    )
  })
  return sole.map(({ origin }) => origin)
}

/** Those who say that they hold all that a cut names of some sender of whom no more than that was `received` here. */
export function claimantsBeyond(received: readonly number[], { upTo, holdersOf }: Cut): MemberId[] {
  return [...new Set(upTo.flatMap((count, sender) => (received[sender]! < count ? holdersOf(sender) : [])))]
}

/**
 * SYNCs of those who move along and show that they received something else under the same numbers. That is no proof, for or against
 * anybody.
 * @param digestOf as `MessageLog.digestOf`, of one who holds all that the cut names
 */
export function differing(
  own: Sync,
  syncs: ReadonlyMap<MemberId, SyncFrame>,
  { transitional }: Cut,
  digestOf: (counts: readonly number[]) => Uint8Array | null,
): SyncFrame[] {
  const movers = transitional.map((id) => syncs.get(id)!)
  return movers.filter(({ message: { received, receivedDigest } }) => {
    const here = sameCounts(received, own.received) ? own.receivedDigest : digestOf(received)
    return here !== null && !equalBytes(here, receivedDigest)
  })
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
