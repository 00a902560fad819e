import type { PrimeOrderGroup } from "../../src/group/prime-order-group.ts"
import type { MemberId } from "../../src/shared/member-id.ts"
import { strShape } from "../../src/str/str-shape.ts"
import { tgdhShape } from "../../src/tgdh/tgdh-shape.ts"
import { createKeyTreeCodec } from "../../src/key-tree/tree-codec.ts"
import type { Node } from "../../src/key-tree/tree.ts"

/** A key tree to be shown: who is where. `sinceEpoch`: the epoch that brought in the share at this leaf. */
export type KeyTree =
  { readonly member: MemberId; readonly sinceEpoch: number } | { readonly left: KeyTree; readonly right: KeyTree }

/**
 * Structure encoded in `publicState().bytes` of a module with a key tree; null for bytes that do not decode. `height`:
 * the number of branches above the deepest leaf, and so of multiplications on the longest path.
 */
export function describeKeyTree(
  module: "tgdh" | "str",
  group: PrimeOrderGroup,
  bytes: Uint8Array,
): { readonly height: number; readonly tree: KeyTree } | null {
  const tree = createKeyTreeCodec(group, module === "tgdh" ? tgdhShape : strShape).decodeState(bytes)
  return tree && { height: tree.height, tree: describe(tree) }
}

function describe(node: Node): KeyTree {
  if (node.kind === "leaf") return { member: node.owner, sinceEpoch: node.sinceEpoch }
  return { left: describe(node.left), right: describe(node.right) }
}
