/**
 * The key trees of TGDH and STR (sections 4.3 and 4.4 of "On the performance of group key agreement protocols"). They
 * are immutable: states of several epochs share their common parts, and a state can be abandoned at no cost.
 *
 * Each node has a key k and a blinded key bk = g·k. A leaf's key is its owner's share; a branch's is H(bk_left ·
 * k_right), equal to H(bk_right · k_left).
 *
 * Blinded keys are encodings that may come from another member's state. They are checked when they are multiplied,
 * because that decodes them in any case and most are never multiplied. See `ownersBelow` for the culprits if one is not
 * an element.
 */
import type { MemberId } from "../shared/member-id.ts"
import type { CompletedEpoch } from "../clusters/completed-epoch.ts"
import type { Scalar } from "../group/prime-order-group.ts"

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
  /** null: something below has changed, and no member has published the new blinded key yet. */
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
 * Members at fault if the blinded key of a completed state's node is not an element: all members below the node. A
 * leaf's key was attached by its owner. A branch's key was published in some epoch, and every honest member of that
 * epoch computed it (below the node) or checked it (elsewhere). So no honest member completed that epoch, and the
 * members that are still below the node were all in it.
 */
export function ownersBelow(node: Node): MemberId[] {
  return leavesOf(node).map(({ owner }) => owner)
}

/**
 * The branches above the leaf of `owner`, lowest first, each with the child that is not on the path. Null if there is
 * no such leaf.
 */
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
