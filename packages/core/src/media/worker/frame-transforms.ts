/** All tracks of one member in a conference, and the keys that the engine sends for them. */
import type { Sink } from "@keymoot/transport"
import type { Clock } from "../../platform/surroundings.ts"
import { aesGcmUnder } from "../../ciphers/aes-gcm.ts"
import type { MediaKeyMessage, MediaKeyReply } from "../keys/key-messages.ts"
import { isSameMember, type MediaMember } from "../keys/media-view.ts"
import { FrameCipher, type Track } from "./frame-cipher.ts"
import { type EncodedFrame, FramePipe } from "./frame-pipe.ts"
import { SoundPadding } from "./sound-padding.ts"
import { SoundReports, type Sounds } from "./sound-reports.ts"
import { sumCounts, type TrackCounts } from "./track-counts.ts"

/**
 * `connection`: a number that the page has given to the peer connection. `isPadded`: a sound that is sent by a browser
 * without a constant bitrate.
 */
export type TransformOptions = Track & { readonly connection: number; readonly isPadded?: boolean }

/** Used part of `RTCRtpScriptTransformer`. */
export type Transformer = {
  readonly readable: ReadableStream<EncodedFrame>
  readonly writable: WritableStream<EncodedFrame>
  readonly options: TransformOptions
  generateKeyFrame?(): Promise<unknown>
  sendKeyFrameRequest?(): Promise<unknown>
}

export type FrameTransformsConfig = {
  readonly clock: Clock
  /** The page must request a key frame from this track's encoder, because the browser offers it to workers not. */
  readonly keyFrames: Sink<Track>
}

export class FrameTransforms {
  readonly #config: FrameTransformsConfig
  /** Each with the number of its connection. */
  readonly #pipes = new Map<FramePipe, number>()
  /** Sums for closed connections: at most one for each member of the view, source and direction. */
  #ended: readonly TrackCounts[] = []
  #members: readonly MediaMember[] = []
  #cipher: FrameCipher | null = null
  /** Tracks that started before the engine's first message. */
  #early: Transformer[] = []
  readonly #reports = new SoundReports()

  constructor(config: FrameTransformsConfig) {
    this.#config = config
  }

  /** Takes over a track. Its frames pass only through the cipher. */
  attach(transformer: Transformer): void {
    const { connection, isPadded, ...track } = transformer.options
    if (!this.#cipher) return void this.#early.push(transformer)
    const pipe = new FramePipe({
      track,
      cipher: this.#cipher,
      padding: isPadded ? new SoundPadding() : null,
      clock: this.#config.clock,
      writer: transformer.writable.getWriter(),
      keyFrames: { take: () => this.#requestKeyFrame(transformer) },
    })
    this.#pipes.set(pipe, connection)
    void read(transformer.readable, pipe).finally(() => this.#end(pipe))
  }

  /**
   * Forgets the tracks of a closed connection, and keeps their counts. No browser ends their streams, so a member that
   * enters again and again would leave tracks here without end.
   */
  end(connection: number): void {
    this.#early = this.#early.filter(({ options }) => options.connection !== connection)
    for (const [pipe, of] of this.#pipes) if (of === connection) this.#end(pipe)
  }

  /** Returns the reply to the engine, if there is one. */
  handle(message: MediaKeyMessage): MediaKeyReply | null {
    if (message.type === "self") this.#begin(new FrameCipher(message.self))
    else if (message.type === "closed") this.#cipher?.erase()
    else if (message.type === "view") this.#onView(message)
    else if (message.type === "speakers") this.#cipher?.step(message)
    else if (message.type === "secured") this.#cipher?.step({ ...message, nowMs: this.#config.clock.now() })
    else {
      const keys = message.keys.map(({ keyId, key, salt }) => ({ keyId, salt, cipher: aesGcmUnder(key) }))
      this.#cipher?.step({ ...message, keys })
    }
    this.#drain()
    return message.type === "keyed" ? { type: "installed", view: message.view } : null
  }

  /** Call it every `LOOK_MS`: it drops what has waited too long. Returns the sounds that the page must hear of. */
  look(): Sounds | null {
    const nowMs = this.#config.clock.now()
    this.#cipher?.step({ type: "tick", nowMs })
    this.#drain()
    return this.#reports.step(this.#heardAtMs, nowMs)
  }

  get counts(): TrackCounts[] {
    return sumCounts([...this.#ended, ...[...this.#pipes.keys()].map((pipe) => pipe.counts)])
  }

  get #heardAtMs(): ReadonlyMap<number, number> {
    const heard = [...this.#pipes].filter(
      ([{ track, arrivedAtMs }]) =>
        track.direction === "receive" && track.source === "microphone" && arrivedAtMs > -Infinity,
    )
    return new Map(heard.map(([{ arrivedAtMs }, connection]) => [connection, arrivedAtMs]))
  }

  #begin(cipher: FrameCipher): void {
    if (this.#cipher) return
    this.#cipher = cipher
    for (const transformer of this.#early.splice(0)) this.attach(transformer)
  }

  #onView(message: MediaKeyMessage & { readonly type: "view" }): void {
    this.#members = message.view.members
    this.#keep(this.#ended)
    this.#cipher?.step(message)
  }

  #end(pipe: FramePipe): void {
    if (!this.#pipes.delete(pipe)) return
    pipe.end()
    this.#keep([...this.#ended, pipe.counts])
  }

  /** Only for present members. The connection of one that has left, or has come back, ends after its view. */
  #keep(counts: readonly TrackCounts[]): void {
    const present = counts.filter(({ peer }) => this.#members.some((member) => isSameMember(member, peer)))
    this.#ended = sumCounts(present)
  }

  #drain(): void {
    for (const pipe of this.#pipes.keys()) if (pipe.isHolding) void pipe.drain()
  }

  /** A refusal means that there is no encoder yet, or no video. Then there is no picture to repair. */
  #requestKeyFrame(transformer: Transformer): void {
    const { direction } = transformer.options
    if (direction === "receive") void transformer.sendKeyFrameRequest?.().catch(() => undefined)
    else if (transformer.generateKeyFrame) void transformer.generateKeyFrame().catch(() => undefined)
    else this.#config.keyFrames.take(transformer.options)
  }
}

async function read(frames: ReadableStream<EncodedFrame>, pipe: FramePipe): Promise<void> {
  const reader = frames.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) pipe.take(next.value)
}
