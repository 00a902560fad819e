import { patienceFactor, type MemberId } from "@keymoot/transport"

/** Time that a member may stall each agreement free of charge, for slow connections and machines. */
const FREE_MS = 2500
/**
 * Time beyond `FREE_MS` in all agreements together. Both of one silent member are below the timeout after which an
 * agreement restarts. Members that are due at the same time share what is charged: if many are, the cause is rather a
 * slow network or machine. Liars gain nothing by that. All their budgets together last as long as if each stalled alone,
 * one after another.
 */
const BUDGET_MS = 5000
/** Refill per unit of time in which no member waits for this one. A used-up budget is full again after 100 s. */
const REFILL = 0.05
/**
 * After a longer interval between two ticks this member itself was late, and what it received was. Then the second
 * value is charged, the usual interval.
 */
const TICK_MS_MAX = 200
const TICK_MS_USUAL = 50
/** Interval after which `tick` returns a member again that is still in the view and still stalls. */
const AGAIN_MS = 1000

/**
 * Budget of the time for which each member may stall key agreements. It spans agreements: under a limit for each agreement
 * alone, an attacker that stays just below it could delay every view without blame. Only time in which the member could have
 * sent its next message counts, so the silence of other members costs it nothing.
 */
export class StallBudget {
  /** Stalled time in the present agreement. */
  readonly #waitedMs = new Map<MemberId, number>()
  /** Used part of each budget. An entry without additions refills and goes within two minutes, so the map stays small. */
  readonly #usedMs = new Map<MemberId, number>()
  #lastTickMs: number | null = null
  /** A factor of both limits, by the number of members. */
  #factor = 1

  /** Starts a new agreement between so many members. */
  begin(members: number): void {
    this.#waitedMs.clear()
    this.#factor = patienceFactor(members)
  }

  /** `due`: members whose next message is possible and missing. Returns those whose budget is used up. */
  tick(nowMs: number, due: readonly MemberId[]): MemberId[] {
    const elapsedMs = nowMs - (this.#lastTickMs ?? nowMs)
    this.#lastTickMs = nowMs
    for (const [member, usedMs] of this.#usedMs) {
      if (due.includes(member)) continue
      const left = usedMs - REFILL * elapsedMs
      if (left > 0) this.#usedMs.set(member, left)
      else this.#usedMs.delete(member)
    }
    const countedMs = elapsedMs > TICK_MS_MAX ? TICK_MS_USUAL : elapsedMs
    return due.filter((member) => this.#isOverdue(member, countedMs, countedMs / due.length))
  }

  #isOverdue(member: MemberId, countedMs: number, chargedMs: number): boolean {
    const waitedMs = (this.#waitedMs.get(member) ?? 0) + countedMs
    this.#waitedMs.set(member, waitedMs)
    const budgetMs = this.#factor * BUDGET_MS
    if (waitedMs <= this.#factor * FREE_MS) return false
    const usedMs = (this.#usedMs.get(member) ?? 0) + chargedMs
    const isOverdue = usedMs > budgetMs
    this.#usedMs.set(member, isOverdue ? budgetMs - AGAIN_MS : usedMs)
    return isOverdue
  }
}
