/**
 * From the clusters of a view to its key tree: one rule for join, leave, partition, merge, reload and any mixture of them.
 */
import { compareClusters } from "../clusters/claims.ts"
import type { Cluster } from "../clusters/claims.ts"
import { leavesOf, rightmostLeaf } from "../key-tree/tree.ts"
import type { Leaf, Node } from "../key-tree/tree.ts"
import { treeHeightMax } from "../limits.ts"
import type { MemberId } from "../member-id.ts"
import { compareMembers } from "../member-id.ts"
import { balancedTree, insert, prune, withLeaf } from "./tree-operations.ts"

/**
 * The tree of the new view, with the blinded keys of all leaves and of every branch below which nothing has changed.
 * Never empty `clusters`; each member is in exactly one. `freshLeaf` gives a member's leaf with the share it attached.
 *
 * Insertions fill the gaps that removals leave, but many removals at once, or a merge of thin trees, can leave a tree that
 * is too high for its leaves. Then it is built anew out of fresh shares, which costs at most as many rounds as it then is high. The
 * insertion or removal of one leaf never pays for that, so that it always takes one round.
 */
export function buildStructure(clusters: readonly Cluster<Node>[], freshLeaf: (member: MemberId) => Leaf): Node {
  /** Owners of the rightmost old leaf at each place that changed: the paper's sponsors, of whom one draws a fresh share. */
  const sponsors = new Set<MemberId>()
  let changes = clusters.length - 1
  const noteSponsor = (subtree: Node): void => {
    sponsors.add(rightmostLeaf(subtree).owner)
  }
  const trees = [...clusters].sort(compareClusters).map((cluster): Node => {
    const [only] = cluster.members
    if (!cluster.state || cluster.members.length === 1) return freshLeaf(only!)
    changes += leavesOf(cluster.state).length - cluster.members.length
    return prune(cluster.state, new Set(cluster.members), noteSponsor)!
  })
  const newcomers = new Set(clusters.filter((c) => c.members.length === 1).map((c) => c.members[0]!))
  const merged = trees.reduce((tree, added) =>
    insert(tree, added, (joined) => {
      noteSponsor(joined)
    }),
  )
  const isOneLeaf = changes === 1 && (clusters.length === 1 || newcomers.size > 0)
  if (!isOneLeaf && merged.height > treeHeightMax(leavesOf(merged).length)) {
    return balancedTree(leavesOf(merged).map((leaf) => freshLeaf(leaf.owner)))
  }
  if (newcomers.size === clusters.length) return merged
  const refreshing = changes === 0 ? ownerOfOldestShare(merged) : shallowestRightmost(merged, sponsors, newcomers)
  return withLeaf(merged, freshLeaf(refreshing))
}

/** Without it, the same members in a new view would get the same raw secret again. */
function ownerOfOldestShare(tree: Node): MemberId {
  const older = (a: Leaf, b: Leaf): Leaf => {
    const difference = a.sinceEpoch - b.sinceEpoch || compareMembers(a.owner, b.owner)
    return difference <= 0 ? a : b
  }
  return leavesOf(tree).reduce(older).owner
}

/** Newcomers do not count: a refresh has to be inside what survived, or a departed member's old path would live on. */
function shallowestRightmost(tree: Node, sponsors: ReadonlySet<MemberId>, newcomers: ReadonlySet<MemberId>): MemberId {
  let best: { owner: MemberId; depth: number } | null = null
  const visit = (node: Node, depth: number): void => {
    if (best && depth >= best.depth) return
    if (node.kind === "branch") {
      visit(node.right, depth + 1)
      visit(node.left, depth + 1)
    } else if (sponsors.has(node.owner) && !newcomers.has(node.owner)) best = { owner: node.owner, depth }
  }
  visit(tree, 0)
  return best!.owner
}
