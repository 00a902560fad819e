/**
 * From the clusters of a view to its key tree: one rule for join, leave, partition, merge, reload and any mixture of them.
 */
import { type Cluster, compareClusters } from "../clusters/claims.ts"
import { type Leaf, leavesOf, type Node, pathOf, rightmostLeaf } from "../key-tree/tree.ts"
import { sharesPerRefresh, treeHeightMax } from "../shared/limits.ts"
import { compareMembers, type MemberId } from "../shared/member-id.ts"
import { balancedTree, insert, prune, withLeaf } from "./tree-operations.ts"

/**
 * The tree of the new view, with the blinded keys of all leaves and of every branch below which nothing has changed.
 * `clusters` is never empty; each member is in exactly one. `freshLeaf` gives a member's leaf with the share it
 * attached.
 *
 * Insertions fill the gaps that removals leave. Many removals at once, or a merge of thin trees, can still leave a tree
 * that is too high for its leaves. It is then rebuilt from fresh shares, which costs at most as many rounds as its new
 * height. The insertion or removal of one leaf never causes a rebuild, so it always takes one round.
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
    const leavers = cluster.state.size - cluster.members.length
    changes += leavers
    if (leavers === 0) return cluster.state
    return prune(cluster.state, new Set(cluster.members), noteSponsor)!
  })
  const newcomers = newcomersOf(clusters)
  const merged = trees.reduce((tree, added) => insert(tree, added, noteSponsor))
  const isOneLeaf = changes === 1 && (clusters.length === 1 || newcomers.size > 0)
  if (!isOneLeaf && merged.height > treeHeightMax(merged.size)) {
    return balancedTree(leavesOf(merged).map((leaf) => freshLeaf(leaf.owner)))
  }
  if (newcomers.size === clusters.length) return merged
  const refreshing = changes === 0 ? ownersOfOldShares(merged) : [shallowestRightmost(merged, sponsors, newcomers)]
  return refreshing.reduce((tree, owner) => withLeaf(tree, freshLeaf(owner)), merged)
}

/** Members that are alone, with their own state or without one. */
export function newcomersOf(clusters: readonly Cluster<Node>[]): ReadonlySet<MemberId> {
  return new Set(clusters.flatMap(({ members }) => (members.length === 1 ? members : [])))
}

/**
 * Members that refresh in a view of the same members: without a refresh they would get the same raw secret again. They
 * are the owner of the oldest share and the owner of its sibling, which costs no extra multiplication or message. Then
 * the owners of the next oldest shares follow, as many as the window on old shares demands.
 */
function ownersOfOldShares(tree: Node): MemberId[] {
  const byAge = leavesOf(tree).sort((a, b) => a.sinceEpoch - b.sinceEpoch || compareMembers(a.owner, b.owner))
  const owners = new Set<MemberId>()
  for (const { owner } of byAge) {
    if (owners.size >= sharesPerRefresh(tree.size)) break
    owners.add(owner)
    const sibling = pathOf(tree, owner)?.[0]?.sibling
    if (sibling?.kind === "leaf") owners.add(sibling.owner)
  }
  return [...owners]
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
