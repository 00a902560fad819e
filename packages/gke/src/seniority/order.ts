/**
 * The cluster rule where a state's structure is a mere order of members: who stands first, and who enters after them.
 *
 * Each member signs its own place, so the order of a view follows from its attachments alone: unlike a tree, a state never
 * travels, nobody waits for one, and no peer's state is ever decoded.
 */
import { claimsOf, compareClusters } from "../clusters/claims.ts"
import type { Standing as ClusterStanding } from "../clusters/attachment.ts"
import { compareMembers } from "../member-id.ts"
import type { MemberId } from "../member-id.ts"

/** What a member says about the state that it stands on: which one, its own place there (from 0), and since which epoch. */
export type Standing = ClusterStanding & { readonly place: number; readonly sinceEpoch: number }

/** A place in a completed state's order. */
export type Seat = { readonly owner: MemberId; readonly sinceEpoch: number }

/** `seniors`: the first cluster, in its order; two at least, or none. `newcomers`: everybody else, in the order of entering. */
export type Order = { readonly seniors: readonly Seat[]; readonly newcomers: readonly MemberId[] }

/**
 * Clusters come larger first, then by their smaller lowest member; within one, each member at its place. Only the first
 * one's state is built upon: members of the others enter it as new, like those who stand alone on theirs.
 */
export function orderOf(members: readonly MemberId[], standingOf: (member: MemberId) => Standing | null): Order {
  const { shared, newcomers } = claimsOf(members, (member) => ({ standing: standingOf(member) }))
  const placeOf = (member: MemberId): number => standingOf(member)!.place
  // Honest members never name one place twice; where somebody lies, those who know the state find out.
  const byPlace = (a: MemberId, b: MemberId): number => placeOf(a) - placeOf(b) || compareMembers(a, b)
  const [first, ...others] = shared
    .map((claim) => ({ members: claim.members, state: null }))
    .sort(compareClusters)
    .map((cluster) => [...cluster.members].sort(byPlace))
  return {
    seniors: (first ?? []).map((owner) => ({ owner, sinceEpoch: standingOf(owner)!.sinceEpoch })),
    newcomers: [...others.flat(), ...[...newcomers].sort(compareMembers)],
  }
}

/**
 * Of those that name the state which `seats` is the order of: who names a place that is not its own there, or an epoch
 * that is not its own. An insider's check; outsiders rely on it, for nothing goes on in a cluster that holds an impostor.
 */
export function impostorsAmong(
  seats: readonly Seat[],
  claimants: readonly MemberId[],
  standingOf: (member: MemberId) => Standing | null,
): MemberId[] {
  return claimants.filter((member) => {
    const standing = standingOf(member)
    const seat = standing && seats[standing.place]
    return seat?.owner !== member || seat.sinceEpoch !== standing?.sinceEpoch
  })
}
