/** For smaller frames, allocating costs no more than reusing. */
const KEPT_BYTES_MIN = 16 * 1024
/** Buffers kept for all links of this thread together. */
export const FRAME_BUFFERS_MAX = 64

/**
 * Pool of frame buffers. A data channel copies what it sends, so the next frame of the same length is sealed into the
 * same buffer. Fresh memory has to be cleared and collected, which for a large frame costs more than sealing it.
 */
export class FrameBuffers {
  #kept: Uint8Array[] = []

  /** The buffer still contains its former content. */
  take(length: number): Uint8Array {
    if (length < KEPT_BYTES_MIN) return new Uint8Array(length)
    const kept = this.#kept.pop()
    if (kept?.length === length) return kept
    // Frame lengths have changed: the pooled buffers have become useless.
    this.#kept = []
    return new Uint8Array(length)
  }

  /** The caller must not use the buffer afterwards. */
  giveBack(frame: Uint8Array): void {
    const { length } = frame
    if (length < KEPT_BYTES_MIN || length !== frame.buffer.byteLength || this.#kept.length === FRAME_BUFFERS_MAX) return
    if (this.#kept.length > 0 && this.#kept[0]!.length !== length) this.#kept = []
    this.#kept.push(frame)
  }
}

export const frameBuffers = new FrameBuffers()
