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

/** Fires at most once in `everyMs`, the first time at once. */
export class Interval {
  readonly #everyMs: number
  #sinceMs: number | null = null

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  fires(nowMs: number): boolean {
    if (nowMs < this.dueMs) return false
    this.#sinceMs = nowMs
    return true
  }

  /** As if it had fired now; null where the time is not known yet. */
  restart(nowMs: number | null): void {
    this.#sinceMs = nowMs
  }

  get dueMs(): number {
    return this.#sinceMs === null ? 0 : this.#sinceMs + this.#everyMs
  }
}
