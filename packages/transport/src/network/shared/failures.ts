/** Handling of exceptions that bytes of others have caused. No decoder should throw any. */
import type { MemberId } from "../../members/ids.ts"
import { IGNORED_MAX } from "../../bounds/network-bounds.ts"
import { LruMap } from "./lru-map.ts"

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
export class IgnoredIncarnations {
  /** At the bound the one that is ignored longest is heard again. */
  readonly #incarnations = new LruMap<MemberId, number>(IGNORED_MAX)

  add(member: MemberId, incarnation: number): void {
    this.#incarnations.set(member, incarnation)
  }

  has(member: MemberId, incarnation: number): boolean {
    return (this.#incarnations.peek(member) ?? -1) >= incarnation
  }
}
