/**
 * The publication plan: which member publishes which blinded keys in which round. It is a function of public values
 * alone, so the view fixes the exact list of multicasts before the first of them is sent.
 */
import type { Publication } from "../key-tree/shape.ts"
import { type Branch, type Leaf, leavesOf, type Node, rightmostLeaf } from "../key-tree/tree.ts"
import type { MemberId } from "../shared/member-id.ts"

type Chain = { round: number; readonly sponsor: MemberId; readonly branches: Branch[] }

/**
 * Each branch without a blinded key is in one chain of such branches. One member below all of them computes the chain
 * and publishes it in one message. A chain begins at each lowest one, whose children are both known from the start.
 *
 * If two chains meet, the one that is published later continues, in the same round: its sponsor has the other's
 * blinded key by then. If both would be published in the same round, one is, and the other waits a round for it and
 * continues. The paper's sponsors publish all they can at once, which takes as many rounds, and one message more at
 * each such place.
 *
 * @param isNewcomer newcomers do not publish if another member can, as in the paper: a newcomer has to read the whole
 * public state first
 */
export function planPublications(tree: Node, isNewcomer: (member: MemberId) => boolean): Publication[] {
  const chains: Chain[] = []
  const begin = (branch: Branch): Chain => {
    const chain = { round: 1, sponsor: sponsorBelow(branch, isNewcomer), branches: [branch] }
    chains.push(chain)
    return chain
  }
  /** The chain that the node's blinded key is published with; null if it is known. */
  const visit = (node: Node): Chain | null => {
    if (node.kind === "leaf" || node.blinded) return null
    const left = visit(node.left)
    const right = visit(node.right)
    if (!left && !right) return begin(node)
    const chain = left && right ? goingOn(left, right, isNewcomer) : (left ?? right)!
    if (left?.round === right?.round) chain.round++
    chain.branches.push(node)
    return chain
  }
  visit(tree)
  return chains
}

function goingOn(left: Chain, right: Chain, isNewcomer: (member: MemberId) => boolean): Chain {
  if (left.round !== right.round) return left.round > right.round ? left : right
  return isNewcomer(right.sponsor) && !isNewcomer(left.sponsor) ? left : right
}

function sponsorBelow(branch: Branch, isNewcomer: (member: MemberId) => boolean): MemberId {
  const old: Leaf | undefined = leavesOf(branch).findLast(({ owner }) => !isNewcomer(owner))
  return (old ?? rightmostLeaf(branch)).owner
}
