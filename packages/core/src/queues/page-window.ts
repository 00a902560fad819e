/**
 * Flow control to the application's thread for each sender. The thread acknowledges every batch with its processing
 * time. A sender with too many unacknowledged batches or too much processing time is paused. Otherwise one sender could
 * fill the thread's queue, which the engine does not see, and leave no time to draw the others' changes.
 */
import type { MemberId } from "@keymoot/transport"
import { CostMeter, type Budget } from "./cost-meter.ts"

/** Window of one sender: unacknowledged batches and bytes. Beyond either the sender waits. */
export const PAGE_BATCHES_MAX = 16
export const PAGE_BYTES_MAX = 512 * 1024
/**
 * Budget of one sender in milliseconds of the application's thread: half of each second, and a burst for a large board.
 */
export const PAGE_MS_PER_SECOND = 500
export const PAGE_MS_BURST = 2_000
const BUDGET: Budget = { perSecond: PAGE_MS_PER_SECOND, burst: PAGE_MS_BURST }

type Unanswered = { batches: number; bytes: number }

export class PageWindow {
  readonly #pause: (sender: MemberId, paused: boolean) => void
  readonly #unanswered = new Map<MemberId, Unanswered>()
  readonly #meter = new CostMeter<MemberId>(BUDGET)

  constructor(pause: (sender: MemberId, paused: boolean) => void) {
    this.#pause = pause
  }

  /** A batch was sent to the application's thread. */
  sent(sender: MemberId, bytes: number): void {
    const unanswered = this.#unanswered.get(sender) ?? { batches: 0, bytes: 0 }
    this.#unanswered.set(sender, unanswered)
    unanswered.batches++
    unanswered.bytes += bytes
    this.#settle(sender)
  }

  /** The application's thread has processed a batch in that time. */
  answered(sender: MemberId, bytes: number, tookMs: number): void {
    const unanswered = this.#unanswered.get(sender)
    if (!unanswered) return
    unanswered.batches--
    unanswered.bytes -= bytes
    if (unanswered.batches === 0) this.#unanswered.delete(sender)
    this.#meter.spend(sender, tookMs)
    this.#settle(sender)
  }

  get isCalm(): boolean {
    return this.#meter.isFull
  }

  tick(nowMs: number): void {
    for (const sender of this.#meter.tick(nowMs)) this.#settle(sender)
  }

  #settle(sender: MemberId): void {
    const { batches, bytes } = this.#unanswered.get(sender) ?? { batches: 0, bytes: 0 }
    this.#pause(sender, batches >= PAGE_BATCHES_MAX || bytes >= PAGE_BYTES_MAX || this.#meter.isOver(sender))
  }
}
