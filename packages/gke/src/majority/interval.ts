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
