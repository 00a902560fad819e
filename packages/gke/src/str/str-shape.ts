/**
 * STR: section 4.4 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik). It is
 * TGDH with a fully skewed tree: k_1 = r_1, k_i = H(br_i ^ k_{i-1}) = H(bk_{i-1} ^ r_i). Divergences:
 * - Fresh blinded shares ride on the flush. Every event takes one round and one message, also a merge of many
 *   clusters.
 * - A member above the lowest change takes its fresh share too.
 * - The sponsor of a leave is right below the lowest leaver instead of at the bottom, which saves half of the chain.
 * - A member completes only after it has recomputed the blinded keys on its own path.
 */
import { compareClusters, type Cluster } from "../clusters/claims.ts"
import type { Arrangement, KeyTreeShape } from "../key-tree/shape.ts"
import { type Branch, branchOf, type Leaf, leavesOf, type Node } from "../key-tree/tree.ts"
import { unreachable } from "../shared/errors.ts"
import { MEMBERS_MAX } from "../shared/limits.ts"
import type { MemberId } from "../shared/member-id.ts"

export const strShape: KeyTreeShape = {
  module: "str",
  heightMax: MEMBERS_MAX - 1,
  roundsMax: 1,
  isPossible: isSkewed,
  arrange: arrangeChain,
}

function isSkewed(tree: Node): boolean {
  let at = tree
  for (; at.kind === "branch"; at = at.left) if (at.right.kind === "branch") return false
  return true
}

/**
 * From the clusters of a view to its chain: one rule for join, leave, partition, merge, reload and any mixture of them.
 *
 * The first cluster's chain without its leavers, then the members of the others on top of it, each cluster in its own
 * order. A member at the lowest change or above takes the share that it attached. The keys there are new anyway, so
 * this costs nothing. The member at the lowest change is the sponsor, and one message of it holds every new blinded
 * key.
 */
export function arrangeChain(clusters: readonly Cluster<Node>[], freshLeaf: (member: MemberId) => Leaf): Arrangement {
  const [first, ...others] = [...clusters].sort(compareClusters)
  const added = others.flatMap(membersInOrder)
  const kept = membersInOrder(first!)
  const lowest = lowestChange(first!, added.length > 0)
  const [sponsor, ...above] = [...kept.slice(lowest), ...added]
  const below = lowest === 0 ? null : bottomOf(first!.state!, lowest)
  const branches: Branch[] = []
  const join = (chain: Node, member: MemberId): Branch => {
    const branch = branchOf(chain, freshLeaf(member), null)
    branches.push(branch)
    return branch
  }
  const tree = above.reduce<Node>(join, below ? join(below, sponsor!) : freshLeaf(sponsor!))
  return { tree, publications: branches.length > 0 ? [{ round: 1, sponsor: sponsor!, branches }] : [] }
}

/** Bottom first. A member that is alone in its cluster enters with a fresh share: its state is not used. */
function membersInOrder({ members, state }: Cluster<Node>): readonly MemberId[] {
  if (!state || members.length === 1) return members
  const staying = new Set(members)
  return leavesOf(state).flatMap(({ owner }) => (staying.has(owner) ? [owner] : []))
}

/** How many members of the first cluster stand below everything that changes. */
function lowestChange({ members, state }: Cluster<Node>, isJoined: boolean): number {
  if (!state || members.length === 1) return 0
  const leaves = leavesOf(state)
  const staying = new Set(members)
  const lowestLeaver = leaves.findIndex(({ owner }) => !staying.has(owner))
  // The member right below the lowest leaver: the leaver knew every key from its own place up, and none below.
  if (lowestLeaver >= 0) return Math.max(0, lowestLeaver - 1)
  // The topmost old member: without its new share the key that newcomers build on would be one of an earlier epoch.
  if (isJoined) return leaves.length - 1
  // Otherwise the same members would get the same secret again. Every change reaches the root, so the oldest share is
  // low.
  const oldest = leaves.reduce((a, b) => (b.sinceEpoch < a.sinceEpoch ? b : a))
  return leaves.indexOf(oldest)
}

/** The chain of the lowest `count` members, at least one. */
function bottomOf(chain: Node, count: number): Node {
  let at = chain
  while (at.height >= count) at = at.kind === "branch" ? at.left : unreachable("a leaf has no height")
  return at
}
