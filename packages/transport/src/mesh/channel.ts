import { MESSAGE_BYTES_MAX } from "./bounds.ts"
import type { HopOpener, HopRefusal, HopSealer } from "./hop.ts"
import { packMessages, Unpacker, type PackingRefusal } from "./packing.ts"

/** Messages over an established association: packed, sealed and counted on the way out, the reverse on the way in. */
export class SealedChannel {
  readonly #sealer: HopSealer
  readonly #opener: HopOpener
  readonly #unpacker = new Unpacker()
  #outbox: Uint8Array[] = []
  #outboxBytes = 0
  /** Sealed since the host's last report. The host reports after every send, so this is soon folded into the next one. */
  #unreportedBytes = 0
  #reportedBytes = 0

  constructor(sealer: HopSealer, opener: HopOpener) {
    this.#sealer = sealer
    this.#opener = opener
  }

  get bufferedBytes(): number {
    return this.#outboxBytes + this.#unreportedBytes + this.#reportedBytes
  }

  queue(message: Uint8Array): void {
    if (message.length > MESSAGE_BYTES_MAX)
      throw new RangeError(`a message over a link has at most ${MESSAGE_BYTES_MAX} bytes`)
    this.#outbox.push(message)
    this.#outboxBytes += message.length
  }

  /** What was queued, in as few frames as it fits. */
  flush(): Uint8Array[] {
    if (this.#outbox.length === 0) return []
    const frames = packMessages(this.#outbox).map((plain) => this.#sealer.seal(plain))
    this.#outbox = []
    this.#outboxBytes = 0
    this.#unreportedBytes += frames.reduce((sum, frame) => sum + frame.length, 0)
    return frames
  }

  open(frame: Uint8Array): Uint8Array[] | { readonly refused: HopRefusal | PackingRefusal } {
    const plain = this.#opener.open(frame)
    return "refused" in plain ? plain : this.#unpacker.unpack(plain)
  }

  handleBuffered(bufferedBytes: number): void {
    this.#reportedBytes = bufferedBytes
    this.#unreportedBytes = 0
  }

  forget(): void {
    this.#sealer.forget()
    this.#opener.forget()
  }
}
