/**
 * Who publishes which blinded keys in which round: a function of the tree alone, so the view fixes the exact list of
 * multicasts before the first of them is sent.
 */
import type { Publication } from "../key-tree/shape.ts"
import { rightmostLeaf } from "../key-tree/tree.ts"
import type { Branch, Node } from "../key-tree/tree.ts"

/**
 * Each branch without a blinded key is computed by the rightmost leaf below it that can, as early as it can be.
 *
 * Say that a child is known in round 0 if its blinded key is, else in the round in which it is published. Whoever computes
 * the child that is known later needs only the other's blinded key, so it goes on to the branch in the same round. Where
 * both are known in the same round, nobody below either one can be ahead: the branch comes one round later, and then
 * everybody below it can compute it, so the rightmost leaf does.
 */
export function planPublications(tree: Node): Publication[] {
  const publications: Publication[] = []
  type Known = { readonly round: 0 } | { readonly round: number; readonly chain: Branch[] }
  const visit = (node: Node): Known => {
    if (node.kind === "leaf" || node.blinded) return { round: 0 }
    const left = visit(node.left)
    const right = visit(node.right)
    if (left.round === right.round) {
      const chain = [node]
      publications.push({ round: left.round + 1, sponsor: rightmostLeaf(node).owner, branches: chain })
      return { round: left.round + 1, chain }
    }
    const later = left.round > right.round ? left : right
    if ("chain" in later) later.chain.push(node)
    return later
  }
  visit(tree)
  return publications
}
