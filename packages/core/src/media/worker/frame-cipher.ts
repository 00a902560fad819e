/** Encrypts and decrypts the frames of one member under the keys of its ring. */
import { decodeSFrameHeader } from "../sframe/sframe-header.ts"
import { MEDIA_FRAME_BYTES_MAX, openFrame, sealFrame, type SFrameKey } from "../sframe/sframe.ts"
import { KeyRing, type KeyRingInput } from "../keys/key-ring.ts"
import { isVideo, type MediaMember, type MediaSource, metadataOf } from "../keys/media-view.ts"
import { asOnePicture, pictureFault } from "./picture-bound.ts"

/**
 * Reasons why a frame is dropped. `late`: it waited for a key for too long. `not-permitted`: its sender is a viewer.
 * `too-large`: its bytes or its picture.
 * `former-key`: an absent member knows its key, and its sender has the next one.
 */
export type FrameRefusal =
  "malformed" | "too-large" | "no-key" | "foreign-key" | "former-key" | "not-permitted" | "replayed" | "forged" | "late"

/** The key of this frame was revoked while the frame was encrypted. Transform it again: it gets a new counter. */
export type Revoked = "revoked"

/** `peer`: the member at the other end of the connection, authenticated by its pinned fingerprint. */
export type Track = {
  readonly direction: "send" | "receive"
  readonly source: MediaSource
  readonly peer: MediaMember
}

const REFUSALS = {
  unknown: "no-key",
  foreign: "foreign-key",
  former: "former-key",
  "not-permitted": "not-permitted",
} as const

export class FrameCipher {
  readonly #ring: KeyRing<SFrameKey>

  constructor(self: MediaMember) {
    this.#ring = new KeyRing(self)
  }

  step(input: KeyRingInput<SFrameKey>): void {
    this.#ring.step(input)
  }

  erase(): void {
    this.#ring.erase()
  }

  /** Whether the key of this frame may still come. */
  waits({ direction, peer, source }: Track, frame: Uint8Array, arrivedAtMs: number): boolean {
    if (direction === "send") return this.#ring.mayPublish && !this.#ring.hasSendingKey
    const decoded = decodeSFrameHeader(frame)
    return decoded !== null && this.#ring.receiving(peer, source, decoded.header.keyId, arrivedAtMs) === "unknown"
  }

  /** Whether a member that is absent now knows the key of this encrypted frame. */
  isUnderFormerKey(frame: Uint8Array): boolean {
    const decoded = decodeSFrameHeader(frame)
    return decoded !== null && this.#ring.namesRevoked(decoded.header.keyId)
  }

  /** @param arrivedAtMs when the frame came from the encoder, or from the network */
  transform(track: Track, frame: Uint8Array, arrivedAtMs: number): Promise<Uint8Array | FrameRefusal | Revoked> {
    return track.direction === "send" ? this.#seal(track, frame) : this.#open(track, frame, arrivedAtMs)
  }

  async #seal({ source, peer }: Track, plaintext: Uint8Array): Promise<Uint8Array | FrameRefusal | Revoked> {
    if (plaintext.length > MEDIA_FRAME_BYTES_MAX) return "too-large"
    const fault = isVideo(source) ? pictureFault(plaintext) : null
    if (fault) return fault
    if (!this.#ring.maySendTo(peer)) return "not-permitted"
    const sending = this.#ring.nextSending(peer)
    if (!sending) return "no-key"
    const sealed = await sealFrame(sending.key, sending.counter, metadataOf(source), plaintext)
    // During the await a member with this key may have left or been removed, or this member have become a viewer.
    if (!this.#ring.maySendTo(peer)) return "not-permitted"
    return this.#ring.isRevoked(sending.view) ? "revoked" : sealed
  }

  /** Opens each frame of a source once. */
  async #open({ peer, source }: Track, frame: Uint8Array, arrivedAtMs: number): Promise<Uint8Array | FrameRefusal> {
    const decoded = decodeSFrameHeader(frame)
    if (!decoded) return "malformed"
    const { keyId, counter } = decoded.header
    const receiving = this.#ring.receiving(peer, source, keyId, arrivedAtMs)
    if (typeof receiving === "string") return REFUSALS[receiving]
    const replays = receiving.replays[source]
    if (!replays.isFresh(counter)) return "replayed"
    const plaintext = await openFrame(receiving.key, decoded, metadataOf(source), frame)
    if (plaintext === null) return "forged"
    // During the await the member may have left or become a viewer, or the same frame may have been opened.
    const now = this.#ring.receiving(peer, source, keyId, arrivedAtMs)
    if (now !== receiving) return typeof now === "string" ? REFUSALS[now] : "foreign-key"
    if (!replays.isFresh(counter)) return "replayed"
    replays.accept(counter)
    return isVideo(source) ? (pictureFault(plaintext) ?? asOnePicture(plaintext)) : plaintext
  }
}
