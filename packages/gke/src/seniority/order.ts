/**
 * The cluster rule for states whose structure is an order of members: the order of the current members and of those
 * that enter after them.
 *
 * Each member signs its own place, so the order of a view follows from its attachments alone. Unlike with a tree, no
 * state is sent, no member waits for one, and no peer's state is decoded.
 */
import { claimsOf, compareClusters } from "../clusters/claims.ts"
import type { Standing as ClusterStanding } from "../clusters/attachment.ts"
import type { KeyStructure } from "../agreement/key-agreement.ts"
import { compareMembers, type MemberId } from "../shared/member-id.ts"

/** A member's claim about its state: which one, its own place there (from 0), and since which epoch. */
export type Standing = ClusterStanding & { readonly place: number; readonly sinceEpoch: number }

/** A place in a completed state's order. */
export type Seat = { readonly owner: MemberId; readonly sinceEpoch: number }

/** `seniors`: the first cluster, in its order; two at least, or none. `newcomers`: all others, in the order of entering. */
export type Order = { readonly seniors: readonly Seat[]; readonly newcomers: readonly MemberId[] }

/**
 * Clusters come larger first, then by their smaller lowest member; within one, each member at its place. Only the first
 * one's state is built upon: members of the others enter it as new, like those who stand alone on theirs.
 */
export function orderOf(members: readonly MemberId[], standingOf: (member: MemberId) => Standing | null): Order {
  const { shared, newcomers } = claimsOf(members, (member) => ({ standing: standingOf(member) }))
  const placeOf = (member: MemberId): number => standingOf(member)!.place
  // Honest members never name one place twice; the members with that state detect a lie.
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
 * Members that name the state with the order `seats`, but a place there or an epoch that is not their own. Only
 * insiders can check this. Outsiders rely on it: in a cluster with an impostor the agreement does not proceed.
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

export function describeSeats(kind: "chain" | "star", seats: readonly Seat[], epoch: number): KeyStructure {
  // The pairwise keys of a star are all made for one view.
  const isNew = ({ sinceEpoch }: Seat): boolean => kind === "star" || sinceEpoch === epoch
  return { kind, seats: seats.map((seat) => ({ member: seat.owner, isNew: isNew(seat) })) }
}
