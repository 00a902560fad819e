/**
 * The key tree of TGDH (section 4.3 of "On the performance of group key agreement protocols"): immutable, so that states
 * of several epochs share what they have in common, and one that is abandoned costs nothing.
 *
 * Each node has a key k and a blinded key bk = g·k. A leaf's key is its owner's share; a branch's is H(bk_left · k_right),
 * equal to H(bk_right · k_left).
 */
import type { Element } from "../group/prime-order-group.ts"
import type { MemberId } from "../member-id.ts"

export type Leaf = {
  readonly kind: "leaf"
  readonly owner: MemberId
  readonly blinded: Element
  /** The epoch that brought this share in: what makes a share the oldest. */
  readonly sinceEpoch: number
  readonly height: 0
}

export type Branch = {
  readonly kind: "branch"
  readonly left: Node
  readonly right: Node
  /** null: something below has changed, and nobody has published the new blinded key yet. */
  readonly blinded: Element | null
  readonly height: number
}

export type Node = Leaf | Branch

export function leafOf(owner: MemberId, blinded: Element, sinceEpoch: number): Leaf {
  return { kind: "leaf", owner, blinded, sinceEpoch, height: 0 }
}

export function branchOf(left: Node, right: Node, blinded: Element | null): Branch {
  return { kind: "branch", left, right, blinded, height: 1 + Math.max(left.height, right.height) }
}

export function rightmostLeaf(node: Node): Leaf {
  return node.kind === "leaf" ? node : rightmostLeaf(node.right)
}

/** Left to right. */
export function leavesOf(node: Node): Leaf[] {
  const leaves: Leaf[] = []
  const visit = (at: Node): void => {
    if (at.kind === "leaf") leaves.push(at)
    else {
      visit(at.left)
      visit(at.right)
    }
  }
  visit(node)
  return leaves
}

/** The branches above the leaf of `owner`, lowest first, each with the child that is not on the path; null if there is no such leaf. */
export type PathStep = { readonly branch: Branch; readonly sibling: Node }
export function pathOf(node: Node, owner: MemberId): PathStep[] | null {
  if (node.kind === "leaf") return node.owner === owner ? [] : null
  const below = pathOf(node.left, owner)
  if (below) {
    below.push({ branch: node, sibling: node.right })
    return below
  }
  const right = pathOf(node.right, owner)
  right?.push({ branch: node, sibling: node.left })
  return right
}

/**
 * The tree without the leaves whose owner is not in `keep`: a leaf goes by promoting its sibling. Null when none is left.
 * `onPromoted` sees each promoted subtree as it stands in the result.
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

/** Fills in what was unknown. `publishedOf` must know every branch without a blinded key. */
export function completeTree(node: Node, publishedOf: (branch: Branch) => Element): Node {
  if (node.kind === "leaf" || node.blinded) return node
  return branchOf(completeTree(node.left, publishedOf), completeTree(node.right, publishedOf), publishedOf(node))
}
