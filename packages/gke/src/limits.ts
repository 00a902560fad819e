/** The largest view that a key is agreed for. A larger one is the caller's mistake; a peer's state with more leaves does not decode. */
export const MEMBERS_MAX = 1024

/** The highest key tree of any honest state (see `heightMax` in structure.ts); a higher one does not decode. */
export const TREE_HEIGHT_MAX = 2 * Math.ceil(Math.log2(MEMBERS_MAX)) + 1
