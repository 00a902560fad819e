/**
 * The decision that follows from a complete set of signed SYNCs, equal at all members that hold them. It has the view
 * id, the transitional sets, the messages that they deliver first, and the holders of missing ones.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { computeViewId, digestOfMembers, indexOfMember } from "../view/view.ts"
import type { MemberId } from "../members/ids.ts"
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

/** For the members of one transitional set, which come from one previous view. */
export type Cut = {
  readonly transitional: readonly MemberId[]
  /** Per member of the previous view: how many frames are delivered at its end, before causal closure. */
  readonly upTo: readonly number[]
  /** By place (from 0): the known ORDER, possibly with gaps. */
  readonly order: ReadonlyMap<number, OrderEntry>
  /** g*: number of ORDER entries that some member has delivered already. */
  readonly deliveredOrder: number
  /** The members that hold all of `upTo` of that member of the previous view. */
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

/** The cut of the members that come from `previousView`, whose members were `previousMembers`. */
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
 * Chooses for each place the entry that most of the movers name, among equals the first. The result is equal at all of
 * them. The longest prefix would not do: a member that lies about where its prefix begins or ends could hide honest
 * members' entries from each other. They would then deliver in different orders.
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
 * Members of other views than the coordinator's that claim frames which others of their transitional set lack. They are
 * at fault if a cut is not completed, unless most of that set have acknowledged it. Otherwise two of them could serve
 * nobody, acknowledge, and have all others blamed. If just half have acknowledged it, the silent are at fault as well:
 * they could pretend to lack these frames.
 */
export function withholding(
  syncs: ReadonlyMap<MemberId, SyncFrame>,
  acks: ReadonlySet<MemberId>,
  ownView: ViewId,
): MemberId[] {
  const frames = [...syncs.values()].filter(({ message }) => message.previousView !== ownView)
  const holders = frames.filter(({ origin, message: { previousView, received } }) => {
    const companions = frames.filter(
      ({ message }) => message.previousView === previousView && message.received.length === received.length,
    )
    const lead = 2 * companions.filter(({ origin }) => acks.has(origin)).length - companions.length
    if (lead > 0) return false
    return received.some((count, sender) => {
      const counts = companions.map(({ message }) => message.received[sender]!)
      return count === Math.max(...counts) ? Math.min(...counts) < count : lead === 0 && !acks.has(origin)
    })
  })
  return holders.map(({ origin }) => origin)
}

/** Members that claim to hold all frames of a sender in the cut, of which fewer were `received` here. */
export function claimantsBeyond(received: readonly number[], { upTo, holdersOf }: Cut): MemberId[] {
  return [...new Set(upTo.flatMap((count, sender) => (received[sender]! < count ? holdersOf(sender) : [])))]
}

/**
 * SYNCs of members of the transitional set that show other frames under the same numbers. They prove nothing for or
 * against any member.
 * @param digestOf as `MessageLog.digestOf`, of a member that holds all that the cut names
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

/**
 * True if the members of each transitional set hold the same frames. Then CUT and its acknowledgements can be skipped.
 */
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
