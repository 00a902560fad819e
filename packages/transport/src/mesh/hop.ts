import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { equalBytes } from "@noble/ciphers/utils.js"
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { FRAMES_PER_KEY, FRAME_BYTES_MAX } from "./bounds.ts"

/**
 * Hop-by-hop protection of one direction of an association: `kind, association id, sequence, ciphertext`, AEAD over
 * all of it. The channel below is reliable and ordered, so any sequence but the next is an attack, and says which.
 *
 * Written by hand, not with the codec library: it is on the path of every byte, and the header has a fixed form.
 */
export const HOP_FRAME_KIND = 3
export const ASSOCIATION_ID_BYTES = 8
const HEADER_BYTES = 1 + ASSOCIATION_ID_BYTES + 8
const TAG_BYTES = 16

export type HopRefusal = "malformed" | "other-association" | "replayed" | "gap" | "forged"

/** A key that moves forward by one hash every `FRAMES_PER_KEY` frames, at the same sequence at both ends. */
class HopKey {
  #key: Uint8Array

  constructor(key: Uint8Array) {
    this.#key = key
  }

  cipher(sequence: number, header: Uint8Array) {
    const nonce = new Uint8Array(12)
    new DataView(nonce.buffer).setBigUint64(4, BigInt(sequence))
    return chacha20poly1305(this.#key, nonce, header)
  }

  /** Call after each frame that was sealed or opened: a forged one must not move the key. */
  advance(nextSequence: number): void {
    if (nextSequence % FRAMES_PER_KEY !== 0) return
    const next = hkdf(sha256, this.#key, undefined, utf8ToBytes("keymoot/1 hop rekey"), 32)
    this.#key.fill(0)
    this.#key = next
  }

  forget(): void {
    this.#key.fill(0)
  }
}

export class HopSealer {
  readonly #key: HopKey
  readonly #associationId: Uint8Array
  #sequence = 0

  constructor(key: Uint8Array, associationId: Uint8Array) {
    this.#key = new HopKey(key)
    this.#associationId = associationId
  }

  seal(plain: Uint8Array): Uint8Array {
    if (plain.length > FRAME_BYTES_MAX) throw new RangeError("a hop frame is longer than its bound")
    const frame = new Uint8Array(HEADER_BYTES + plain.length + TAG_BYTES)
    frame[0] = HOP_FRAME_KIND
    frame.set(this.#associationId, 1)
    new DataView(frame.buffer).setBigUint64(1 + ASSOCIATION_ID_BYTES, BigInt(this.#sequence))
    const header = frame.subarray(0, HEADER_BYTES)
    frame.set(this.#key.cipher(this.#sequence, header).encrypt(plain), HEADER_BYTES)
    this.#sequence += 1
    this.#key.advance(this.#sequence)
    return frame
  }

  forget(): void {
    this.#key.forget()
  }
}

export class HopOpener {
  readonly #key: HopKey
  readonly #associationId: Uint8Array
  #sequence = 0

  constructor(key: Uint8Array, associationId: Uint8Array) {
    this.#key = new HopKey(key)
    this.#associationId = associationId
  }

  open(frame: Uint8Array): Uint8Array | { readonly refused: HopRefusal } {
    if (frame.length < HEADER_BYTES + TAG_BYTES || frame.length > HEADER_BYTES + FRAME_BYTES_MAX + TAG_BYTES)
      return { refused: "malformed" }
    if (frame[0] !== HOP_FRAME_KIND) return { refused: "malformed" }
    if (!equalBytes(frame.subarray(1, 1 + ASSOCIATION_ID_BYTES), this.#associationId))
      return { refused: "other-association" }
    const sequence = new DataView(frame.buffer, frame.byteOffset).getBigUint64(1 + ASSOCIATION_ID_BYTES)
    if (sequence !== BigInt(this.#sequence)) return { refused: sequence < BigInt(this.#sequence) ? "replayed" : "gap" }
    let plain: Uint8Array
    try {
      plain = this.#key.cipher(this.#sequence, frame.subarray(0, HEADER_BYTES)).decrypt(frame.subarray(HEADER_BYTES))
    } catch {
      return { refused: "forged" }
    }
    this.#sequence += 1
    this.#key.advance(this.#sequence)
    return plain
  }

  forget(): void {
    this.#key.forget()
  }
}
