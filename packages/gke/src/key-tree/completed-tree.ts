import type { CompletedEpoch } from "../clusters/completed-epoch.ts"
import type { Scalar } from "../group/prime-order-group.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { Node } from "./tree.ts"

/** `stateBytes` encodes `tree`. */
export type CompletedTree = CompletedEpoch & {
  readonly tree: Node
  /** The same before its view's keys were filled in: what lacks one has changed. */
  readonly arranged: Node
  /** Sorted: all members of the epoch's view. */
  readonly owners: readonly MemberId[]
  /** Secret: this member's share, then the key of each branch up to the root. */
  readonly pathKeys: readonly Scalar[]
}

export function eraseTree(state: CompletedTree): void {
  for (const key of state.pathKeys) key.fill(0)
}
