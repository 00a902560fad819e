/** Sent and not acknowledged by the other end. A link acknowledges every 64 KiB: a window below that would wait for its clock. */
const WINDOW_BYTES_START = 64 * 1024
/** A window that has grown beyond this is never halved below it. */
const WINDOW_BYTES_MIN = 128 * 1024
const WINDOW_BYTES_MAX = 4 * 1024 * 1024
/**
 * What is said meanwhile waits about so long behind a file, unless the smallest window takes longer on a slow link. Less,
 * and a busy machine, which is as slow to answer as a long queue, would let its links idle.
 */
const QUEUEING_MS_LOW = 100
const QUEUEING_MS_HIGH = 250
/** Until a window was too large for the first time, and after that. */
const GROWTH_FIRST = 2
const GROWTH_LATER = 1.25
/**
 * How much of files may be under way to one member. A link is one queue: what is put into it stands before the next
 * heartbeat, rekey or word. So this watches the delay as LEDBAT does (RFC 6817): a window whose last piece is acknowledged
 * hardly later than an empty link would acknowledge it grows, one that had to queue for long is halved.
 */
export class Pace {
  #windowBytes = WINDOW_BYTES_START
  #growth = GROWTH_FIRST
  #shortestMs = Infinity
  /** A piece that is being measured: when it left, and how many bytes up to its end are still to be acknowledged. */
  #measured: { readonly sinceMs: number; bytes: number } | null = null
  #bufferedBytes = 0

  get windowBytes(): number {
    return this.#windowBytes
  }

  /** Before each piece: whether it may go now. `bufferedBytes`: sent and not acknowledged, of everything. */
  maySend(bufferedBytes: number): boolean {
    return bufferedBytes < this.#windowBytes
  }

  /** A piece has gone. `bufferedBytes`: that one included. */
  sent(bufferedBytes: number, nowMs: number): void {
    this.#bufferedBytes = bufferedBytes
    // The first piece of all tells how long an empty link takes. From then on only the last of a full window is measured:
    // one in front of it would not have seen the delay that the window makes.
    if (this.#shortestMs === Infinity || !this.maySend(bufferedBytes))
      this.#measured ??= { sinceMs: nowMs, bytes: bufferedBytes }
  }

  /** `bufferedBytes`: what is left. What others have sent meanwhile makes a measurement longer, never shorter. */
  acknowledged(bufferedBytes: number, nowMs: number): void {
    const measured = this.#measured
    const bytes = this.#bufferedBytes - bufferedBytes
    this.#bufferedBytes = bufferedBytes
    if (!measured) return
    measured.bytes -= bytes
    if (measured.bytes > 0) return
    this.#measured = null
    this.#adapt(nowMs - measured.sinceMs)
  }

  #adapt(tookMs: number): void {
    this.#shortestMs = Math.min(this.#shortestMs, tookMs)
    const queueingMs = tookMs - this.#shortestMs
    if (queueingMs <= QUEUEING_MS_LOW) this.#windowBytes = Math.min(WINDOW_BYTES_MAX, this.#windowBytes * this.#growth)
    if (queueingMs <= QUEUEING_MS_HIGH) return
    this.#windowBytes = Math.max(Math.min(WINDOW_BYTES_MIN, this.#windowBytes), this.#windowBytes / 2)
    this.#growth = GROWTH_LATER
  }
}
