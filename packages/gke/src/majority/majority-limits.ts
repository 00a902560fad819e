/** Sessions of one conference that run or wait to be erased at a time: starting another erases the oldest. */
export const SESSIONS_MAX = 4

/** Ended sessions that are remembered so that none runs twice; then the one that ended first is forgotten. Their `sid` must not come again anyway. */
export const TOMBSTONES_MAX = 1024

/** How often a member that lost its state may come back in one session; after that it is not answered. */
export const RETURNS_MAX = 16

/** While a consensus runs. */
export const HEARTBEAT_MS = 1000

/** How long one member is waited for that was asked for the decision. */
export const ASK_MS = 2000
