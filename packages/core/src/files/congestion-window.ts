/**
 * Initial window in unacknowledged bytes. A link acknowledges every 64 KiB, so a smaller window would wait for its
 * delayed acknowledgement.
 */
const WINDOW_BYTES_START = 64 * 1024
/** Lower limit for halving a window that has grown beyond it. */
const WINDOW_BYTES_MIN = 128 * 1024
const WINDOW_BYTES_MAX = 4 * 1024 * 1024
/**
 * Queueing delay that a file may cause for other messages, unless the smallest window takes longer on a slow link. With
 * a lower target a busy machine, which answers as late as a long queue, would let its links idle.
 */
const QUEUEING_MS_LOW = 100
const QUEUEING_MS_HIGH = 250
/** Growth factor of the window before and after the first halving. */
const GROWTH_FIRST = 2
const GROWTH_LATER = 1.25
/**
 * Congestion window of file pieces to one member. A link is one queue, so pieces delay the next heartbeat, rekey or
 * message. Like LEDBAT (RFC 6817) it watches the delay. The window grows if its last piece is acknowledged hardly later
 * than on an empty link. It is halved after a long queueing delay.
 */
export class CongestionWindow {
  #windowBytes = WINDOW_BYTES_START
  #growth = GROWTH_FIRST
  #shortestMs = Infinity
  /** Piece under measurement: its time of sending, and the unacknowledged bytes up to its end. */
  #measured: { readonly sinceMs: number; bytes: number } | null = null
  #bufferedBytes = 0

  get windowBytes(): number {
    return this.#windowBytes
  }

  /** Whether a piece may be sent now. `bufferedBytes`: unacknowledged bytes of all messages. */
  maySend(bufferedBytes: number): boolean {
    return bufferedBytes < this.#windowBytes
  }

  /** Records a sent piece. `bufferedBytes` includes it. */
  sent(bufferedBytes: number, nowMs: number): void {
    this.#bufferedBytes = bufferedBytes
    // The first piece measures an empty link. Later only the last piece of a full window is measured: an earlier one
    // would not see the delay that the window causes.
    if (this.#shortestMs === Infinity || !this.maySend(bufferedBytes))
      this.#measured ??= { sinceMs: nowMs, bytes: bufferedBytes }
  }

  /** `bufferedBytes`: unacknowledged bytes that are left. Other messages in between can only lengthen a measurement. */
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
