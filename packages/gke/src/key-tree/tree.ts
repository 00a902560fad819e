/**
 * The key trees of TGDH and STR (sections 4.3 and 4.4 of "On the performance of group key agreement protocols"): immutable,
 * so that states of several epochs share what they have in common, and one that is abandoned costs nothing.
 *
 * Each node has a key k and a blinded key bk = g·k. A leaf's key is its owner's share; a branch's is H(bk_left · k_right),
 * equal to H(bk_right · k_left).
 *
 * Blinded keys are encodings that may have come with somebody else's state: multiplying is what checks them, for it decodes in any
 * case, and most are never multiplied. See `ownersBelow` for whose fault it is if one is no element.
 */
import type { MemberId } from "../member-id.ts"

export type Leaf = {
  readonly kind: "leaf"
  readonly owner: MemberId
  readonly blinded: Uint8Array
  /** The epoch that brought this share in: what makes a share the oldest. */
  readonly sinceEpoch: number
  readonly height: 0
  readonly size: 1
}

export type Branch = {
  readonly kind: "branch"
  readonly left: Node
  readonly right: Node
  /** null: something below has changed, and nobody has published the new blinded key yet. */
  readonly blinded: Uint8Array | null
  readonly height: number
  /** Leaves below. */
  readonly size: number
}

export type Node = Leaf | Branch

export function leafOf(owner: MemberId, blinded: Uint8Array, sinceEpoch: number): Leaf {
  return { kind: "leaf", owner, blinded, sinceEpoch, height: 0, size: 1 }
}

export function branchOf(left: Node, right: Node, blinded: Uint8Array | null): Branch {
  const height = 1 + Math.max(left.height, right.height)
  return { kind: "branch", left, right, blinded, height, size: left.size + right.size }
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

/**
 * Who answers for a node of a completed state whose blinded key is no element: everybody below it. A leaf's was attached by its
 * owner. A branch's was published in some epoch; every honest member of that epoch either computed it himself, being below, or
 * checked it, being elsewhere. So there was none among those who completed that epoch, and those still below it were all there.
 */
export function ownersBelow(node: Node): MemberId[] {
  return leavesOf(node).map(({ owner }) => owner)
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

/** Fills in what was unknown. `publishedOf` must know every branch without a blinded key. */
export function completeTree(node: Node, publishedOf: (branch: Branch) => Uint8Array): Node {
  if (node.kind === "leaf" || node.blinded) return node
  return branchOf(completeTree(node.left, publishedOf), completeTree(node.right, publishedOf), publishedOf(node))
}
