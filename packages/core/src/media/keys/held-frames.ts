/** Frames of one track that wait for a key, in order. */

/**
 * Time that a frame waits. A late audio frame is of no use, and the decoder conceals its loss. Without one video frame,
 * the picture stands until the next key frame.
 */
const VIDEO_HOLD_MS = 1000
const AUDIO_HOLD_MS = 120
/** Upper limits for one track. Beyond them the oldest frame is dropped. */
export const HELD_MEDIA_FRAMES_MAX = 128
export const HELD_MEDIA_BYTES_MAX = 4 * 1024 * 1024

type Held<Frame> = { readonly frame: Frame; readonly bytes: number; readonly atMs: number }

export class HeldFrames<Frame> {
  readonly #holdMs: number
  #frames: Held<Frame>[] = []
  #bytes = 0

  constructor(video: boolean) {
    this.#holdMs = video ? VIDEO_HOLD_MS : AUDIO_HOLD_MS
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0
  }

  /** Returns the number of dropped frames. */
  push(frame: Frame, bytes: number, nowMs: number): number {
    this.#frames.push({ frame, bytes, atMs: nowMs })
    return this.#limit(bytes)
  }

  /** Makes a frame the oldest one again, after a `shift`. Returns the number of dropped frames. */
  putBack(frame: Frame, bytes: number, atMs: number): number {
    this.#frames.unshift({ frame, bytes, atMs })
    return this.#limit(bytes)
  }

  #limit(added: number): number {
    this.#bytes += added
    let dropped = 0
    while (this.#frames.length > HELD_MEDIA_FRAMES_MAX || this.#bytes > HELD_MEDIA_BYTES_MAX) {
      this.shift()
      dropped++
    }
    return dropped
  }

  /** Oldest frame; null if there is none. */
  get first(): Frame | null {
    return this.#frames[0]?.frame ?? null
  }

  /** When the oldest frame came; Infinity if there is none. */
  get sinceMs(): number {
    return this.#frames[0]?.atMs ?? Infinity
  }

  shift(): void {
    this.#bytes -= this.#frames.shift()?.bytes ?? 0
  }

  /** Drops frames that have waited too long. Returns their number. */
  expire(nowMs: number): number {
    const before = this.#frames.length
    while (this.#frames[0] && nowMs - this.#frames[0].atMs > this.#holdMs) this.shift()
    return before - this.#frames.length
  }
}
