/** The largest view that a key is agreed for. A larger one is the caller's mistake; a peer's state with more leaves does not decode. */
export const MEMBERS_MAX = 1024

/** A higher key tree is built anew, as soon as more than one leaf changes or none does. */
export function treeHeightMax(leaves: number): number {
  return Math.ceil(Math.log2(leaves)) + 2
}

/** No honest member has a higher tree: one leaf more raises only a full tree. A peer's state that is higher does not decode. */
export const TREE_HEIGHT_MAX = treeHeightMax(MEMBERS_MAX)

/**
 * How far ahead of an unknown tree messages are held: one for each sender and round. No tree takes more rounds, for where
 * the round goes up by one, both subtrees have taken as many as the one below.
 */
export const ROUNDS_MAX = Math.ceil(Math.log2(MEMBERS_MAX))

/**
 * Minimum number of shares that a refresh replaces, oldest first. With one refresh a minute, which is the maximum,
 * every share is younger than an hour of activity in groups of any size.
 */
export function sharesPerRefresh(leaves: number): number {
  return Math.ceil(leaves / 60)
}
