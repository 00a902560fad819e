/** Moves the encoded frames of one track through the cipher, in order. A frame that is not transformed is dropped. */
import type { Sink } from "@keymoot/transport"
import type { Clock } from "../../platform/surroundings.ts"
import { ownBuffer } from "../../wire/bytes.ts"
import { HeldFrames } from "../keys/held-frames.ts"
import { isVideo } from "../keys/media-view.ts"
import type { FrameCipher, FrameRefusal, Track } from "./frame-cipher.ts"
import type { SoundPadding } from "./sound-padding.ts"
import type { TrackCounts } from "./track-counts.ts"

/** Used part of `RTCEncodedVideoFrame` and `RTCEncodedAudioFrame`. Only video has a type. */
export type EncodedFrame = { data: ArrayBuffer; readonly type?: "key" | "delta" | "empty" }

export type FramePipeConfig = {
  readonly track: Track
  readonly cipher: FrameCipher
  /** Null: frames keep their sizes. */
  readonly padding: SoundPadding | null
  /** Rejects once the track has ended. */
  readonly writer: Pick<WritableStreamDefaultWriter<EncodedFrame>, "write">
  readonly clock: Clock
  /** Takes the track when its decoder lacks a frame, to request a key frame from the encoder. */
  readonly keyFrames: Sink<Track>
}

/** Interval between two requests for a key frame. */
export const KEY_FRAME_APART_MS = 500

export class FramePipe {
  readonly track: Track
  /** When the last frame came from the encoder or from the network; -Infinity before the first. */
  arrivedAtMs = -Infinity
  /** Frames that passed the cipher. */
  passed = 0
  /**
   * Frames among them under a key that an absent member knows. A sender has none. A receiver has those that were in
   * flight when the view changed.
   */
  formerPassed = 0
  /** Longest time that a frame waited for its key, in ms. */
  heldMs = 0
  /** Frames among the late ones whose key did not come in time, with those that waited behind them. */
  keyless = 0
  /** Dropped frames by reason. */
  readonly dropped: Partial<Record<FrameRefusal, number>> = {}
  readonly #config: FramePipeConfig
  readonly #held: HeldFrames<EncodedFrame>
  #draining = false
  /** Whether the oldest frame lacked its key at the last look. */
  #waited = false
  /** Whether a frame of video was late. No decoder can use those that build on it. */
  #isBroken = false
  #requestedAtMs = -Infinity

  constructor(config: FramePipeConfig) {
    this.track = config.track
    this.#config = config
    this.#held = new HeldFrames(isVideo(config.track.source))
  }

  get isHolding(): boolean {
    return !this.#held.isEmpty
  }

  get counts(): TrackCounts {
    const { track, passed, formerPassed, keyless, heldMs, dropped } = this
    return { ...track, passed, formerPassed, keyless, heldMs, dropped: { ...dropped } }
  }

  take(frame: EncodedFrame): void {
    this.arrivedAtMs = this.#config.clock.now()
    this.#drop("late", this.#held.push(frame, frame.data.byteLength, this.arrivedAtMs))
    void this.drain()
  }

  /** Passes on the frames whose key is there. Call it after the keys have changed, and while frames are held. */
  async drain(): Promise<void> {
    if (this.#draining) return
    this.#draining = true
    const { cipher, track } = this.#config
    for (let frame = this.#held.first; frame; frame = this.#held.first) {
      const bytes = new Uint8Array(frame.data)
      const { sinceMs } = this.#held
      const waits = cipher.waits(track, bytes, sinceMs)
      // Frames become late by a missing key only. Those that wait for the cipher follow each other closely.
      const late = waits || this.#waited ? this.#expire() : 0
      // The key has come. A key frame that was requested before may be lost.
      if (this.#waited && !waits && this.#isBroken) this.#requestedAtMs = -Infinity
      this.#waited = waits
      if (late > 0) continue
      if (waits) break
      this.#held.shift()
      if (this.#isBroken && frame.type === "delta") this.#drop("late", 1)
      else await this.#pass(frame, bytes, sinceMs)
    }
    this.#draining = false
  }

  /** The connection is closed. Otherwise a peer could end each one before the frames without a key count. */
  end(): void {
    if (this.#waited) this.keyless += this.#count("late", this.#held.expire(Infinity))
  }

  #expire(): number {
    const nowMs = this.#config.clock.now()
    this.heldMs = Math.max(this.heldMs, nowMs - this.#held.sinceMs)
    const late = this.#held.expire(nowMs)
    this.keyless += late
    this.#drop("late", late)
    return late
  }

  #count(reason: FrameRefusal, count: number): number {
    if (count > 0) this.dropped[reason] = (this.dropped[reason] ?? 0) + count
    return count
  }

  async #pass(frame: EncodedFrame, bytes: Uint8Array, arrivedAtMs: number): Promise<void> {
    const { cipher, track, writer, padding } = this.#config
    const plain = padding?.pad(bytes) ?? bytes
    // A failing cipher must not end the track. Its frame does not pass.
    const result = await cipher.transform(track, plain, arrivedAtMs).catch(() => "forged" as const)
    if (result === "revoked") return this.#drop("late", this.#held.putBack(frame, bytes.byteLength, arrivedAtMs))
    if (typeof result === "string") return this.#drop(result, 1)
    if (cipher.isUnderFormerKey(track.direction === "send" ? result : bytes)) this.formerPassed++
    if (frame.type !== "delta") this.#isBroken = false
    frame.data = ownBuffer(result).buffer as ArrayBuffer
    await writer.write(frame).catch(() => undefined)
    this.passed++
  }

  #drop(reason: FrameRefusal, count: number): void {
    if (this.#count(reason, count) === 0) return
    if (reason === "late") this.#isBroken = isVideo(this.#config.track.source)
    const nowMs = this.#config.clock.now()
    // A replayed frame has been decoded. Browsers repeat some to fill the bandwidth. A viewer's frames are unwanted.
    if (reason === "replayed" || reason === "not-permitted" || !isVideo(this.#config.track.source)) return
    if (nowMs - this.#requestedAtMs < KEY_FRAME_APART_MS) return
    this.#requestedAtMs = nowMs
    this.#config.keyFrames.take(this.track)
  }
}
