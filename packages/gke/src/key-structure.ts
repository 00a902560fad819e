import type { Seat } from "./seniority/order.ts"
import type { MemberId } from "./member-id.ts"

/**
 * Where a share or key stands in a key tree. `isNew`: the view has made it anew.
 */
export type KeyTreeNode =
  | { readonly kind: "leaf"; readonly member: MemberId; readonly isNew: boolean }
  | { readonly kind: "branch"; readonly isNew: boolean; readonly left: KeyTreeNode; readonly right: KeyTreeNode }

/** A member in an order, and whether its share was made for this view. */
export type KeySeat = { readonly member: MemberId; readonly isNew: boolean }

/**
 * How the key of the last completed epoch is put together, to be shown to people: all of it is public, and none of it is needed
 * to agree on anything.
 *
 * - `tree` (`tgdh`, `str`): each branch holds a key that the members below it share.
 * - `ring` (`bd`): everybody shares a key with both neighbours.
 * - `chain` (`gdh`): the shares in the order in which they entered the key.
 * - `star` (`ckd`): the first seat is the controller's, which gave the key to the others.
 * - `quorum` (`majority`): the whole roster; new are the shares of those whose contributions the key is made of.
 */
export type KeyStructure =
  | { readonly kind: "tree"; readonly root: KeyTreeNode }
  | { readonly kind: "ring" | "chain" | "star" | "quorum"; readonly seats: readonly KeySeat[] }

export function describeSeats(kind: "chain" | "star", seats: readonly Seat[], epoch: number): KeyStructure {
  // The pairwise keys of a star are all made for one view.
  const isNew = ({ sinceEpoch }: Seat): boolean => kind === "star" || sinceEpoch === epoch
  return { kind, seats: seats.map((seat) => ({ member: seat.owner, isNew: isNew(seat) })) }
}
