import type { Member } from "./members.ts"

/** A share or key in a key tree. `isNew`: the last change of the view has made it anew. */
export type KeyTreeNode =
  | { readonly kind: "leaf"; readonly member: Member; readonly isNew: boolean }
  | { readonly kind: "branch"; readonly isNew: boolean; readonly left: KeyTreeNode; readonly right: KeyTreeNode }

/**
 * How the key is put together; all of it is public.
 *
 * - `tree` (`tgdh`, `str`): each branch holds a key shared by the members below it; the root's becomes the group key.
 * - `ring` (`bd`): each member shares a key with both neighbours.
 * - `chain` (`gdh`): the members in the order in which their shares entered.
 * - `star` (`ckd`): the first seat gave the key to the others.
 * - `quorum` (`majority`): everybody on the roster; new are the shares of those whose contributions the key is made of.
 */
export type KeyStructure =
  | { readonly kind: "tree"; readonly root: KeyTreeNode }
  | {
      readonly kind: "ring" | "chain" | "star" | "quorum"
      readonly seats: readonly { readonly member: Member; readonly isNew: boolean }[]
    }
