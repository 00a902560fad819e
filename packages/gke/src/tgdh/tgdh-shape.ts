/**
 * TGDH: section 4.3 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik).
 * Divergences:
 * - Fresh blinded shares ride on the flush, so one insertion or removal takes one round.
 * - One cluster rule covers every event, cascades included.
 * - A member completes only after it has recomputed the blinded keys on its own path.
 */
import type { KeyTreeShape } from "../key-tree/shape.ts"
import { ROUNDS_MAX, TREE_HEIGHT_MAX } from "../shared/limits.ts"
import { planPublications } from "./publication-plan.ts"
import { buildStructure, newcomersOf } from "./structure.ts"

export const tgdhShape: KeyTreeShape = {
  module: "tgdh",
  heightMax: TREE_HEIGHT_MAX,
  roundsMax: ROUNDS_MAX,
  isPossible: () => true,
  arrange(clusters, freshLeaf) {
    const tree = buildStructure(clusters, freshLeaf)
    const newcomers = newcomersOf(clusters)
    return { tree, publications: planPublications(tree, (member) => newcomers.has(member)) }
  },
}
