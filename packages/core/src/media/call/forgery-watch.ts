/** Notices members that mix forged frames into good ones. */
import type { MemberId } from "@keymoot/transport"
import type { ReceptionCounts } from "./reception.ts"

/** Forged frames between two looks from which a member is suspected. Fewer may be those of a change of the key. */
export const FORGED_FRAMES_MIN = 10
/** Time between two reports of one member. */
export const FORGERIES_APART_MS = 60_000

export class ForgeryWatch {
  /** When the last look at a member found such frames. Kept when it enters the call again. */
  readonly #suspectedAtMs = new Map<MemberId, number>()
  readonly #reportedAtMs = new Map<MemberId, number>()

  /**
   * Returns whether the member is to be reported. One look is not enough: a member that has left is refused from one
   * frame to the next, while its connection stays.
   */
  step(member: MemberId, former: ReceptionCounts, counts: ReceptionCounts, nowMs: number): boolean {
    for (const times of [this.#suspectedAtMs, this.#reportedAtMs])
      for (const [each, atMs] of times) if (nowMs - atMs >= FORGERIES_APART_MS) times.delete(each)
    const isMixed = counts.passed > former.passed && counts.forged - former.forged >= FORGED_FRAMES_MIN
    const wasMixed = this.#suspectedAtMs.delete(member)
    if (isMixed) this.#suspectedAtMs.set(member, nowMs)
    if (!isMixed || !wasMixed || this.#reportedAtMs.has(member)) return false
    this.#reportedAtMs.set(member, nowMs)
    return true
  }
}
