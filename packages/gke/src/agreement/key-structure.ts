import type { MemberId } from "../shared/member-id.ts"

/**
 * The place of a share or key in a key tree. `isNew`: the view has made it anew.
 */
export type KeyTreeNode =
  | { readonly kind: "leaf"; readonly member: MemberId; readonly isNew: boolean }
  | { readonly kind: "branch"; readonly isNew: boolean; readonly left: KeyTreeNode; readonly right: KeyTreeNode }

/** A member in an order, and whether its share was made for this view. */
export type KeySeat = { readonly member: MemberId; readonly isNew: boolean }

/**
 * Structure of the last completed epoch's key, for display. All of it is public, and the agreement needs none of it.
 *
 * - `tree` (`tgdh`, `str`): each branch holds a key that the members below it share.
 * - `ring` (`bd`): each member shares a key with both neighbours.
 * - `chain` (`gdh`): the shares in the order in which they entered the key.
 * - `star` (`ckd`): the first seat is the controller's, which gave the key to the others.
 * - `quorum` (`majority`): the whole roster; `isNew` marks members whose contributions the key is made of.
 */
export type KeyStructure =
  | { readonly kind: "tree"; readonly root: KeyTreeNode }
  | { readonly kind: "ring" | "chain" | "star" | "quorum"; readonly seats: readonly KeySeat[] }
