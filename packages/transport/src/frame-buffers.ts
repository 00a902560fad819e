/** Of smaller frames a new buffer costs no more than keeping one. */
const KEPT_BYTES_MIN = 16 * 1024
/** Kept at once, for all links of this thread together. */
export const FRAME_BUFFERS_MAX = 64

/**
 * Buffers of frames that have gone into a data channel, which copies what it sends: the next frame of the same length is sealed
 * into one of them. Fresh memory costs its clearing and its collection, which of a large frame is more than sealing it.
 */
export class FrameBuffers {
  #kept: Uint8Array[] = []

  /** With whatever was in it before. */
  take(length: number): Uint8Array {
    if (length < KEPT_BYTES_MIN) return new Uint8Array(length)
    const kept = this.#kept.pop()
    if (kept?.length === length) return kept
    // The lengths have changed, and with the others it would be the same.
    this.#kept = []
    return new Uint8Array(length)
  }

  /** Nobody may use it any more. */
  giveBack(frame: Uint8Array): void {
    const { length } = frame
    if (length < KEPT_BYTES_MIN || length !== frame.buffer.byteLength || this.#kept.length === FRAME_BUFFERS_MAX) return
    if (this.#kept.length > 0 && this.#kept[0]!.length !== length) this.#kept = []
    this.#kept.push(frame)
  }
}

export const frameBuffers = new FrameBuffers()
