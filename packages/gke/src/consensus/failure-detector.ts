import { KeyAgreementError } from "../shared/errors.ts"
import type { MemberId } from "../shared/member-id.ts"

/** The first time-out of each peer. */
export const TIMEOUT_FIRST_MS = 3000
/** No time-out grows beyond: a network slower than this is one on which consensus waits. */
export const TIMEOUT_MAX_MS = 120_000
const TIMEOUT_GROWTH = 2
/** Between two ticks. After a longer gap this member itself was suspended, so it suspects no peer for silence. */
const SLEEP_MS = TIMEOUT_FIRST_MS

type Peer = { heardAtMs: number | null; timeoutMs: number; suspected: boolean }

/**
 * ◇S of Chandra and Toueg under partial synchrony: a member that is silent for longer than its timeout is suspected.
 * Each wrong suspicion increases the timeout. A member never heard of is suspected from the start, which ◇S allows and
 * which avoids waiting for absent members. Time advances by `tick` only. Memory: one entry for each peer heard of.
 */
export class FailureDetector {
  readonly #peers = new Map<MemberId, Peer>()
  readonly #excluded = new Set<MemberId>()
  #nowMs: number | null = null

  heard(member: MemberId): void {
    const peer = this.#peers.get(member)
    if (!peer) {
      this.#peers.set(member, { heardAtMs: this.#nowMs, timeoutMs: TIMEOUT_FIRST_MS, suspected: false })
      return
    }
    peer.heardAtMs = this.#nowMs
    if (!peer.suspected) return
    peer.suspected = false
    peer.timeoutMs = Math.min(peer.timeoutMs * TIMEOUT_GROWTH, TIMEOUT_MAX_MS)
  }

  /** Suspects it for good: it counts among the crashed. */
  exclude(member: MemberId): void {
    this.#excluded.add(member)
  }

  isSuspected(member: MemberId): boolean {
    return this.#excluded.has(member) || (this.#peers.get(member)?.suspected ?? true)
  }

  /** @throws KeyAgreementError `bad-input` if `nowMs` is no number. A clock that goes back is taken to stand still. */
  tick(nowMs: number): void {
    if (!Number.isFinite(nowMs)) throw new KeyAgreementError("bad-input", "nowMs must be a finite number")
    const last = this.#nowMs ?? nowMs
    const now = Math.max(nowMs, last)
    this.#nowMs = now
    const slept = now - last > SLEEP_MS
    for (const peer of this.#peers.values()) {
      if (peer.suspected) continue
      if (slept || peer.heardAtMs === null) peer.heardAtMs = now
      peer.suspected = now - peer.heardAtMs >= peer.timeoutMs
    }
  }

  /** Time of the last tick; null before the first. */
  get nowMs(): number | null {
    return this.#nowMs
  }
}
