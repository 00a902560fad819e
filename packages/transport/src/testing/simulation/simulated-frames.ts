import type { MemberId } from "../../members/ids.ts"
import {
  decodeFrame,
  draftFrame,
  frameDigest,
  rememberDigest,
  signedBytes,
  type Frame,
  type FrameContent,
} from "../../wire/frame.ts"
import type { SimulatedSigner } from "./simulated-signer.ts"

/**
 * Frames between simulated members. All receivers share one object, which is encoded, decoded and verified once.
 * Nothing between members changes a byte, so a frame is valid for all of them or for none.
 */
export class SimulatedFrames {
  readonly #signer: SimulatedSigner
  readonly #decoded = new WeakMap<Uint8Array, Frame>()
  readonly #verified = new WeakMap<Frame, boolean>()

  constructor(signer: SimulatedSigner) {
    this.#signer = signer
  }

  /** @throws Error if the codecs do not decode what they encoded */
  make(origin: MemberId, content: FrameContent): Frame {
    const draft = draftFrame(content)
    const digest = frameDigest(draft)
    const frame = this.decode(draft.sign(this.#signer.sign(origin, signedBytes(digest))).bytes)
    rememberDigest(frame, digest)
    return frame
  }

  /** @throws Error unless the bytes are a frame */
  decode(bytes: Uint8Array): Frame {
    const known = this.#decoded.get(bytes)
    if (known) return known
    const frame = decodeFrame(bytes)
    if (!frame) throw new Error("a frame of ours does not decode")
    this.#decoded.set(bytes, frame)
    return frame
  }

  isGood(frame: Frame): boolean {
    const known = this.#verified.get(frame)
    if (known !== undefined) return known
    const good = this.#signer.verify(frame.origin, signedBytes(frameDigest(frame)), frame.signature)
    this.#verified.set(frame, good)
    return good
  }
}
