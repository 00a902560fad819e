/**
 * Rate limit of what one member may cost another per second: a token bucket for each sender. The last tick sets the
 * time.
 */
export type Budget = {
  readonly perSecond: number
  /** Burst of an honest sender: a large paste, a whole board. */
  readonly burst: number
}

/**
 * Bound on a sender's debt as a fraction of the burst. A sender may overdraw by one item. Debt beyond the bound is
 * dropped, so one expensive item delays a sender for a bounded time.
 */
const DEBT_OF_BURST = 1 / 2

/** `K` identifies a sender. */
export class CostMeter<K> {
  readonly #budget: Budget
  /** Spent budget that is not refilled yet, by sender. Idle senders have no entry. */
  readonly #spent = new Map<K, number>()
  #nowMs: number | null = null

  constructor(budget: Budget) {
    this.#budget = budget
  }

  spend(sender: K, cost: number): void {
    const spent = (this.#spent.get(sender) ?? 0) + cost
    this.#spent.set(sender, Math.min(spent, this.#budget.burst * (1 + DEBT_OF_BURST)))
  }

  isOver(sender: K): boolean {
    return (this.#spent.get(sender) ?? 0) >= this.#budget.burst
  }

  /** Whether every sender has its whole budget. */
  get isFull(): boolean {
    return this.#spent.size === 0
  }

  /** Returns the senders that are within their budget again. */
  tick(nowMs: number): K[] {
    const refill = ((nowMs - (this.#nowMs ?? nowMs)) * this.#budget.perSecond) / 1000
    this.#nowMs = nowMs
    const over = [...this.#spent.keys()].filter((sender) => this.isOver(sender))
    for (const [sender, spent] of this.#spent) {
      if (spent > refill) this.#spent.set(sender, spent - refill)
      else this.#spent.delete(sender)
    }
    return over.filter((sender) => !this.isOver(sender))
  }
}
