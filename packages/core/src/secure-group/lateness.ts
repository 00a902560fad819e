import type { MemberId } from "@keymoot/transport"

/** So long each may keep the others waiting in any one agreement: slow lines and machines do. */
const FREE_MS = 2500
/** And so long beyond that in all of them together. Both are less than an agreement may take before it is begun again. */
const BUDGET_MS = 5000
/** Part of the time in which nobody waits for it that comes back to the budget: after 100 s all of it is there. */
const REFILL = 0.05
/** Time between two ticks that counts: in a longer one this member was late itself. */
const TICK_MS_MAX = 200
/** Who is still in the view, and still waited for, is told of again after this. */
const AGAIN_MS = 1000

/**
 * Who makes keys late. One long silence has a member left out, and so have many shorter ones: just under a limit for each
 * agreement, it could hold up every view, and be blamed for none. Only time in which a member could have spoken counts,
 * whoever else is silent.
 */
export class Lateness {
  /** In the present agreement. */
  readonly #waitedMs = new Map<MemberId, number>()
  /** Of whom something has been used. What is not added to is gone within two minutes, so these are few. */
  readonly #usedMs = new Map<MemberId, number>()
  #lastTickMs: number | null = null

  /** Another agreement begins. */
  begin(): void {
    this.#waitedMs.clear()
  }

  /** `due`: who could speak now, and has not. Returns those of them who have used up their budget. */
  tick(nowMs: number, due: readonly MemberId[]): MemberId[] {
    const elapsedMs = nowMs - (this.#lastTickMs ?? nowMs)
    this.#lastTickMs = nowMs
    for (const [member, usedMs] of this.#usedMs) {
      if (due.includes(member)) continue
      const left = usedMs - REFILL * elapsedMs
      if (left > 0) this.#usedMs.set(member, left)
      else this.#usedMs.delete(member)
    }
    const countedMs = Math.min(elapsedMs, TICK_MS_MAX)
    return due.filter((member) => this.#isOverdue(member, countedMs))
  }

  #isOverdue(member: MemberId, countedMs: number): boolean {
    const waitedMs = (this.#waitedMs.get(member) ?? 0) + countedMs
    this.#waitedMs.set(member, waitedMs)
    if (waitedMs <= FREE_MS) return false
    const usedMs = (this.#usedMs.get(member) ?? 0) + countedMs
    const isOverdue = usedMs > BUDGET_MS
    this.#usedMs.set(member, isOverdue ? BUDGET_MS - AGAIN_MS : usedMs)
    return isOverdue
  }
}
