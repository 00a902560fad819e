/**
 * STR: section 4.4 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik). It is
 * TGDH with a fully skewed tree: k_1 = r_1, k_i = H(br_i ^ k_{i-1}) = H(bk_{i-1} ^ r_i). Divergences:
 * - Fresh blinded shares ride on the flush. Every event takes one round and one message, also a merge of many
 *   clusters.
 * - A member above the lowest change takes its fresh share too.
 * - The sponsor of a leave is right below the lowest leaver instead of at the bottom, which saves half of the chain.
 * - A member completes only after it has recomputed the blinded keys on its own path.
 */
import type { KeyTreeShape } from "../key-tree/shape.ts"
import type { Node } from "../key-tree/tree.ts"
import { MEMBERS_MAX } from "../shared/limits.ts"
import { arrangeChain } from "./chain.ts"

export const strShape: KeyTreeShape = {
  module: "str",
  heightMax: MEMBERS_MAX - 1,
  roundsMax: 1,
  isPossible: isSkewed,
  arrange: arrangeChain,
}

function isSkewed(tree: Node): boolean {
  let at = tree
  for (; at.kind === "branch"; at = at.left) if (at.right.kind === "branch") return false
  return true
}
