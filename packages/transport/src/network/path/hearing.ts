import { PATH_SILENT_MS } from "../../bounds/network-bounds.ts"

/** Counts what one end hears over a connection, and decides when to show that to the other end. */
export class Hearing {
  #bytes = 0
  #isReceiving = false
  #shownMs = -Infinity

  /** Authentic bytes have come. `isReceiving`: a message has come only in part. */
  add(bytes: number, isReceiving: boolean): void {
    this.#bytes += bytes
    this.#isReceiving = isReceiving
  }

  /** Bytes that have come since the last call. */
  take(): number {
    const bytes = this.#bytes
    this.#bytes = 0
    return bytes
  }

  /**
   * Whether to repeat the last acknowledgement. While a long message comes, its sender may hear nothing else. It would
   * leave the path after `PATH_SILENT_MS`. A connection at rest carries whole messages only.
   */
  takeShowing(nowMs: number): boolean {
    if (!this.#isReceiving || nowMs - this.#shownMs < PATH_SILENT_MS / 2) return false
    this.#shownMs = nowMs
    return true
  }
}
