/** Kept results that name no commit of the repository as it was measured. A test fails when one of these is measured again. */

/** Their commit ends in "+": a tree with changes that are in no commit was measured. */
export const MEASURED_WITH_CHANGES = ["compute", "crowded", "lossy", "nat"]
/** The first is that of `compute` and `cpu`, the second that of `nat`. */
export const LOST_COMMITS = ["5bdf446f1c8e", "1c35a0d96484"]
