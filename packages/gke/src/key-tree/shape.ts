import type { Cluster } from "../clusters/claims.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { Branch, Leaf, Node } from "./tree.ts"

/** One prescribed multicast: the blinded keys of a chain of branches, lowest first, all above the sponsor's leaf. */
export type Publication = { readonly round: number; readonly sponsor: MemberId; readonly branches: readonly Branch[] }

/** The tree of a new view, and who publishes which of the blinded keys that it lacks, each exactly once. */
export type Arrangement = { readonly tree: Node; readonly publications: readonly Publication[] }

/** In what TGDH and STR differ. */
export type KeyTreeShape = {
  readonly module: "tgdh" | "str"
  /** No honest member has a higher tree. */
  readonly heightMax: number
  /** In how many rounds all blinded keys are published, at most. */
  readonly roundsMax: number
  /** Whether a tree that a peer sent has this shape. Height and owners have been checked. */
  isPossible(tree: Node): boolean
  /**
   * A function of public values alone, so that the view fixes the exact list of multicasts before the first of them is sent.
   * Each member is in exactly one of the `clusters`, of which there is at least one. `freshLeaf` gives a member's leaf with
   * the share that it attached.
   */
  arrange(clusters: readonly Cluster<Node>[], freshLeaf: (member: MemberId) => Leaf): Arrangement
}
