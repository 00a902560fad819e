import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import type { KeyTreeNode } from "../key-structure.ts"
import type { MemberId } from "../member-id.ts"
import { strShape } from "../str/shape.ts"
import { tgdhShape } from "../tgdh/shape.ts"
import { createKeyTreeCodec } from "./codec.ts"
import type { Node } from "./tree.ts"

/** A key tree to be shown: who is where. `sinceEpoch`: the epoch that brought in the share at this leaf. */
export type KeyTree =
  { readonly member: MemberId; readonly sinceEpoch: number } | { readonly left: KeyTree; readonly right: KeyTree }

/**
 * What `publicState().bytes` of a module with a key tree says about the structure; null for bytes that are none.
 * `height`: the number of branches above the deepest leaf, hence of multiplications on the longest path.
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

/** `arranged`: the tree of a new view before its blinded keys are filled in. Those that lack are the ones of new keys. */
export function describeArranged(arranged: Node, epoch: number): KeyTreeNode {
  if (arranged.kind === "leaf") return { kind: "leaf", member: arranged.owner, isNew: arranged.sinceEpoch === epoch }
  const [left, right] = [describeArranged(arranged.left, epoch), describeArranged(arranged.right, epoch)]
  return { kind: "branch", isNew: !arranged.blinded, left, right }
}
