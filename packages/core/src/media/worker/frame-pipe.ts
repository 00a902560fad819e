/** Moves the encoded frames of one track through the cipher, in order. A frame that is not transformed is dropped. */
import { ownBuffer } from "../../wire/bytes.ts"
import { HeldFrames, isVideo } from "../keys/index.ts"
import type { FrameCipher, FrameRefusal, Track } from "./frame-cipher.ts"

/** Used part of `RTCEncodedVideoFrame` and `RTCEncodedAudioFrame`. */
export type EncodedFrame = { data: ArrayBuffer }

export type FramePipeConfig = {
  readonly track: Track
  readonly cipher: FrameCipher
  readonly write: (frame: EncodedFrame) => Promise<void>
  readonly now: () => number
  /** Requests a key frame from the encoder, because the decoder lacks a frame. */
  readonly requestKeyFrame: () => void
}

/** Interval between two requests for a key frame. */
export const KEY_FRAME_APART_MS = 500

export class FramePipe {
  readonly track: Track
  /** Frames that passed the cipher. */
  passed = 0
  /** Frames among them under a key that an absent member knows. See `Transformed`. */
  outdated = 0
  /** Longest time that a frame waited, in ms. */
  heldMs = 0
  /** Dropped frames by reason. */
  readonly dropped: Partial<Record<FrameRefusal, number>> = {}
  readonly #config: FramePipeConfig
  readonly #held: HeldFrames<EncodedFrame>
  #draining = false
  #requestedAtMs = -Infinity

  constructor(config: FramePipeConfig) {
    this.track = config.track
    this.#config = config
    this.#held = new HeldFrames(isVideo(config.track.source))
  }

  get isHolding(): boolean {
    return !this.#held.isEmpty
  }

  take(frame: EncodedFrame): void {
    this.#drop("late", this.#held.push(frame, frame.data.byteLength, this.#config.now()))
    void this.drain()
  }

  /** Passes on the frames whose key is there. Call it after the keys have changed, and while frames are held. */
  async drain(): Promise<void> {
    const nowMs = this.#config.now()
    this.heldMs = Math.max(this.heldMs, this.#held.waitedMs(nowMs))
    this.#drop("late", this.#held.expire(nowMs))
    if (this.#draining) return
    this.#draining = true
    const { cipher, track } = this.#config
    for (let frame = this.#held.first; frame; frame = this.#held.first) {
      const bytes = new Uint8Array(frame.data)
      if (cipher.waits(track, bytes)) break
      this.#held.shift()
      await this.#pass(frame, bytes)
    }
    this.#draining = false
  }

  async #pass(frame: EncodedFrame, bytes: Uint8Array): Promise<void> {
    const { cipher, track, write } = this.#config
    // A failing cipher must not end the track. Its frame does not pass.
    const result = await cipher.transform(track, bytes).catch(() => "forged" as const)
    if (typeof result === "string") return this.#drop(result, 1)
    frame.data = ownBuffer(result.data).buffer as ArrayBuffer
    if (result.outdated) this.outdated++
    await write(frame)
    this.passed++
  }

  #drop(reason: FrameRefusal, count: number): void {
    if (count === 0) return
    this.dropped[reason] = (this.dropped[reason] ?? 0) + count
    const nowMs = this.#config.now()
    // A replayed frame has been decoded. Browsers repeat some to fill the bandwidth. A viewer's frames are unwanted.
    if (reason === "replayed" || reason === "not-permitted" || !isVideo(this.#config.track.source)) return
    if (nowMs - this.#requestedAtMs < KEY_FRAME_APART_MS) return
    this.#requestedAtMs = nowMs
    this.#config.requestKeyFrame()
  }
}
