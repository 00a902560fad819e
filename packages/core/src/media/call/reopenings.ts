/** When connections with the other members of a call were opened. */
import type { MemberId } from "@keymoot/transport"

/** A member gets at most one new connection in this time, also if it enters the call again and again. */
export const REOPEN_APART_MS = 1000

export class Reopenings {
  readonly #openedAtMs = new Map<MemberId, number>()

  /** Time until another connection with this member may be opened. */
  waitMs(member: MemberId, nowMs: number): number {
    return Math.max(0, (this.#openedAtMs.get(member) ?? -Infinity) + REOPEN_APART_MS - nowMs)
  }

  /** Members that would have to wait, or had to a moment ago. */
  get size(): number {
    return this.#openedAtMs.size
  }

  opened(member: MemberId, nowMs: number): void {
    for (const each of this.#openedAtMs.keys()) if (this.waitMs(each, nowMs) === 0) this.#openedAtMs.delete(each)
    this.#openedAtMs.set(member, nowMs)
  }
}
