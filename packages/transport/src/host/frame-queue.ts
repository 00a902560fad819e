/**
 * High watermark of the channel, above which frames wait here. Chromium throws at 16 MiB and slows down long before.
 */
const CHANNEL_BYTES_HIGH = 1024 * 1024
const CHANNEL_BYTES_LOW = 256 * 1024
/** Frames that wait here. Beyond it the connection is closed, since its sender ignores backpressure. */
export const CHANNEL_WAITING_BYTES_MAX = 64 * 1024 * 1024
/** Polling interval where the channel emits no event: `@roamhq/wrtc` has no `bufferedamountlow`. */
const POLL_MS = 10

export type FrameQueueEvent =
  | { readonly type: "failed"; readonly reason: string }
  /** The channel has copied the frame. */
  | { readonly type: "sent"; readonly frame: Uint8Array }

/** Queue of frames before a data channel. It fills the channel up to its watermark and holds the rest. */
export class FrameQueue {
  readonly #channel: RTCDataChannel
  readonly #emit: (event: FrameQueueEvent) => void
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #polls = false
  #poll: ReturnType<typeof setTimeout> | undefined
  #finished = false

  constructor(channel: RTCDataChannel, emit: (event: FrameQueueEvent) => void) {
    this.#channel = channel
    this.#emit = emit
  }

  /** The channel is open. */
  opened(): void {
    if (typeof this.#channel.bufferedAmountLowThreshold === "number") {
      this.#channel.bufferedAmountLowThreshold = CHANNEL_BYTES_LOW
      this.#channel.addEventListener("bufferedamountlow", () => this.#refill())
    } else this.#polls = true
  }

  send(frames: readonly Uint8Array[]): void {
    if (this.#finished) return
    for (const frame of frames) {
      this.#waiting.push(frame)
      this.#waitingBytes += frame.length
    }
    this.#refill()
    if (this.#waitingBytes > CHANNEL_WAITING_BYTES_MAX) this.#fail("more was sent than the connection could carry")
  }

  /** Passes all waiting frames to the channel. Frames sent afterwards are dropped. */
  finish(): void {
    this.#drain(Infinity)
    this.stop()
  }

  stop(): void {
    this.#finished = true
    clearTimeout(this.#poll)
  }

  /** Fills the channel. If frames are left, they follow when the channel has drained to its low watermark. */
  #refill(): void {
    this.#drain(CHANNEL_BYTES_HIGH)
    if (this.#finished || this.#waiting.length === 0 || this.#poll !== undefined) return
    // In Node the channel drains on another thread. If it is low now, no event may follow.
    if (this.#polls || this.#isLow()) this.#poll = setTimeout(() => this.#handlePoll(), POLL_MS)
  }

  #handlePoll(): void {
    this.#poll = undefined
    if (this.#isLow()) this.#refill()
    else if (this.#polls) this.#poll = setTimeout(() => this.#handlePoll(), POLL_MS)
  }

  #isLow(): boolean {
    return this.#channel.bufferedAmount <= CHANNEL_BYTES_LOW
  }

  #drain(channelBytesMax: number): void {
    const channel = this.#channel
    if (this.#finished || channel.readyState !== "open") return
    let sent = 0
    try {
      for (const frame of this.#waiting) {
        if (channel.bufferedAmount >= channelBytesMax) break
        channel.send(frame as Uint8Array<ArrayBuffer>)
        this.#waitingBytes -= frame.length
        sent += 1
        this.#emit({ type: "sent", frame })
      }
    } catch (error) {
      return this.#fail(`sending failed: ${error instanceof Error ? error.message : String(error)}`)
    }
    this.#waiting = this.#waiting.slice(sent)
  }

  #fail(reason: string): void {
    this.stop()
    this.#emit({ type: "failed", reason })
  }
}
