/** How the tree of TGDH grows and shrinks. None of these changes its arguments. */
import type { MemberId } from "../shared/member-id.ts"
import { type Branch, branchOf, type Leaf, type Node } from "../key-tree/tree.ts"

/**
 * The tree without the leaves whose owner is not in `keep`: a leaf goes by promoting its sibling. Null when none is left.
 * `onPromoted` sees each promoted subtree as it is in the result.
 */
export function prune(node: Node, keep: ReadonlySet<MemberId>, onPromoted: (subtree: Node) => void): Node | null {
  if (node.kind === "leaf") return keep.has(node.owner) ? node : null
  const left = prune(node.left, keep, onPromoted)
  const right = prune(node.right, keep, onPromoted)
  if (left && right) return left === node.left && right === node.right ? node : branchOf(left, right, null)
  const promoted = left ?? right
  if (promoted) onPromoted(promoted)
  return promoted
}

/**
 * Joins `added` to `tree` at the shallowest, then rightmost node where that leaves the height as it is, or at the root.
 * `onJoined` sees the node that got a sibling.
 */
export function insert(tree: Node, added: Node, onJoined: (subtree: Node) => void): Branch {
  const fits = (node: Node, depth: number): boolean => depth + 1 + Math.max(node.height, added.height) <= tree.height
  const shallowest = (node: Node, depth: number): number => {
    if (fits(node, depth)) return depth
    if (node.kind === "leaf") return Infinity
    return Math.min(shallowest(node.right, depth + 1), shallowest(node.left, depth + 1))
  }
  const join = (node: Node): Branch => {
    onJoined(node)
    return branchOf(node, added, null)
  }
  const joinAt = (node: Node, below: number): Branch | null => {
    if (below === 0) return fits(node, target) ? join(node) : null
    if (node.kind === "leaf") return null
    const right = joinAt(node.right, below - 1)
    if (right) return branchOf(node.left, right, null)
    const left = joinAt(node.left, below - 1)
    return left && branchOf(left, node.right, null)
  }
  const target = shallowest(tree, 0)
  return (target === Infinity ? null : joinAt(tree, target)) ?? join(tree)
}

/** The same tree with another share at one leaf: every blinded key above it is unknown. The owner must have a leaf. */
export function withLeaf(node: Node, leaf: Leaf): Node {
  const replace = (at: Node): Node => {
    if (at.kind === "leaf") return at.owner === leaf.owner ? leaf : at
    const left = replace(at.left)
    const right = left === at.left ? replace(at.right) : at.right
    return left === at.left && right === at.right ? at : branchOf(left, right, null)
  }
  return replace(node)
}

/** A tree of least height over these leaves in this order; every blinded key of a branch is unknown. At least one leaf. */
export function balancedTree(leaves: readonly Leaf[]): Node {
  const [only] = leaves
  if (only && leaves.length === 1) return only
  const middle = Math.ceil(leaves.length / 2)
  return branchOf(balancedTree(leaves.slice(0, middle)), balancedTree(leaves.slice(middle)), null)
}
