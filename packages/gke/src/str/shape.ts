/**
 * STR: section 4.4 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik), TGDH with a
 * fully skewed tree: k_1 = r_1, k_i = H(br_i ^ k_{i-1}) = H(bk_{i-1} ^ r_i). Divergences: fresh blinded shares ride on the
 * flush, so every event takes one round and one message, merges of any number of clusters included; whoever stands above the
 * lowest change takes its fresh share too; the sponsor of a leave stands right below the lowest leaver instead of at the
 * bottom, which spares half of the chain; nobody completes before it has recomputed the blinded keys on its own path.
 */
import type { KeyTreeShape } from "../key-tree/shape.ts"
import type { Node } from "../key-tree/tree.ts"
import { MEMBERS_MAX } from "../limits.ts"
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
