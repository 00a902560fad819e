/**
 * Links that only one of their two ends has stated yet. The other end's statement may still be under way, for up to a
 * round trip. So a new link counts at once, and only for a while without it.
 */
import type { MemberId } from "../members/ids.ts"

/**
 * Share of a proposal's timeout for which a link is early. So a member that states a link which never comes is lost to
 * the proposal first, and the other end is not blamed for it.
 */
export const EARLY_SHARE = 1 / 4

type EarlyLink = { readonly from: MemberId; readonly to: MemberId; readonly untilMs: number }

export class EarlyLinks {
  /** The links that neighbours have ever stated, at most one for each pair. A repetition is not early. */
  readonly #stated = new Map<MemberId, Set<MemberId>>()
  /** The oldest first. */
  #early: EarlyLink[] = []
  readonly #earlyMs: number

  constructor(proposalMs: number) {
    this.#earlyMs = EARLY_SHARE * proposalMs
  }

  /** `up`: the neighbours that `from` states to be up. */
  state(from: MemberId, up: readonly MemberId[], nowMs: number): void {
    const stated = this.#stated.get(from) ?? new Set()
    this.#stated.set(from, stated)
    for (const to of up) {
      if (stated.has(to)) continue
      stated.add(to)
      this.#early.push({ from, to, untilMs: nowMs + this.#earlyMs })
    }
  }

  /** The own link to the member begins or ends. */
  forget(member: MemberId): void {
    this.#stated.delete(member)
    for (const stated of this.#stated.values()) stated.delete(member)
    this.#early = this.#early.filter(({ from, to }) => from !== member && to !== member)
  }

  /** Returns true if a link has ceased to be early. */
  tick(nowMs: number): boolean {
    const count = this.#early.length
    while (this.nextTickMs <= nowMs) this.#early.shift()
    return this.#early.length < count
  }

  get nextTickMs(): number {
    return this.#early[0]?.untilMs ?? Infinity
  }

  /** Members that have just stated a link to this one. */
  to(member: MemberId): readonly MemberId[] {
    return this.#early.filter(({ to }) => to === member).map(({ from }) => from)
  }
}
