/** Handling of exceptions that bytes of others have caused. No decoder should throw any. */
import type { MemberId } from "../../members/ids.ts"
import { IGNORED_MAX } from "../../bounds/network-bounds.ts"

const DETAIL_CHARACTERS_MAX = 300

/** For the security log: what failed, the error, and where it was thrown. */
export function describeFailure(error: unknown, what = "handling what it sent failed"): string {
  const [place = ""] = error instanceof Error ? (/\bat .*/.exec(error.stack ?? "") ?? []) : []
  return `${what}: ${String(error)} ${place}`.slice(0, DETAIL_CHARACTERS_MAX)
}

/**
 * Incarnations of members without a link, since handling their messages has failed here. The harm is bounded: a member
 * that returns as another incarnation is limited as every other flapping member is.
 */
export class IgnoredLives {
  /** Longest ignored first. At the bound it is heard again. */
  readonly #lives = new Map<MemberId, number>()

  add(member: MemberId, incarnation: number): void {
    this.#lives.delete(member)
    this.#lives.set(member, incarnation)
    if (this.#lives.size > IGNORED_MAX) this.#lives.delete(this.#lives.keys().next().value!)
  }

  has(member: MemberId, incarnation: number): boolean {
    return (this.#lives.get(member) ?? -1) >= incarnation
  }
}
