/**
 * TGDH: section 4.3 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik). Divergences:
 * fresh blinded shares ride on the flush, so one insertion or removal takes one round; one cluster rule covers every event,
 * cascades included; nobody completes before it has recomputed the blinded keys on its own path.
 */
import type { KeyTreeShape } from "../key-tree/shape.ts"
import { ROUNDS_MAX, TREE_HEIGHT_MAX } from "../limits.ts"
import { planPublications } from "./plan.ts"
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
