/** Notices members that send frames that no honest member sends: forged ones, and ones that nobody can use. */
import type { MemberId } from "@keymoot/transport"
import { MEDIA_SOURCES } from "../keys/media-view.ts"
import type { CallPeer } from "./call-peer.ts"
import type { ReceptionCounts } from "./reception.ts"

/**
 * Such frames between two looks from which a member is suspected. Fewer may be those of a change of the key. Firefox sends
 * a picture a second for a while after its track was taken away.
 */
export const FORGED_FRAMES_MIN = 10
/**
 * Looks in a row, in one view, that must find stray frames. No key comes for them beside good ones, or the member has not
 * announced their source. A key is late by seconds if a proof is. A member without a link can announce nothing, so only
 * its keys count. It announces its tracks once it has a link.
 */
export const STRAY_LOOKS = 15
/** Time between two reports of one member. */
export const FORGERIES_APART_MS = 60_000

type Counts = Pick<ReceptionCounts, "passed" | "forged" | "keyless" | "passedOf">
type WatchedPeer = Pick<CallPeer, "member" | "sources" | "isLinked">

export class ForgeryWatch {
  /** When the last look at a member found forged frames. Kept when it enters the call again. */
  readonly #suspectedAtMs = new Map<MemberId, number>()
  readonly #reportedAtMs = new Map<MemberId, number>()
  /** Looks in a row that have found stray frames. */
  readonly #strayLooks = new Map<MemberId, number>()

  /** The members agree on a view. Frames may be without a key for a while. */
  onView(): void {
    this.#strayLooks.clear()
  }

  /** Takes the counters of two looks. Returns what the member is to be reported for; null for nothing. */
  step(peer: WatchedPeer, former: Counts, counts: Counts, nowMs: number): string | null {
    for (const times of [this.#suspectedAtMs, this.#reportedAtMs])
      for (const [each, atMs] of times) if (nowMs - atMs >= FORGERIES_APART_MS) times.delete(each)
    const { member } = peer
    const [forges, strays] = [this.#forges(member, former, counts, nowMs), this.#strays(peer, former, counts)]
    if ((!forges && !strays) || this.#reportedAtMs.has(member)) return null
    this.#reportedAtMs.set(member, nowMs)
    return forges ? "it sends forged frames" : "it keeps sending frames that nobody can use"
  }

  /**
   * One look is not enough: a member that has left is refused from one frame to the next, while its connection stays.
   */
  #forges(member: MemberId, former: Counts, counts: Counts, nowMs: number): boolean {
    const isMixed = counts.passed > former.passed && counts.forged - former.forged >= FORGED_FRAMES_MIN
    const wasMixed = this.#suspectedAtMs.delete(member)
    if (isMixed) this.#suspectedAtMs.set(member, nowMs)
    return isMixed && wasMixed
  }

  #strays({ member, sources, isLinked }: WatchedPeer, former: Counts, counts: Counts): boolean {
    const unannounced = MEDIA_SOURCES.filter((source) => isLinked && !sources.includes(source))
    const grown = unannounced.map((source) => counts.passedOf[source] - former.passedOf[source])
    const keyless = counts.passed > former.passed ? counts.keyless - former.keyless : 0
    const isStray = grown.reduce((sum, frames) => sum + frames, keyless) >= FORGED_FRAMES_MIN
    const looks = isStray ? (this.#strayLooks.get(member) ?? 0) + 1 : 0
    if (isStray) this.#strayLooks.set(member, looks)
    else this.#strayLooks.delete(member)
    return looks >= STRAY_LOOKS
  }
}
