import { equalBytes } from "@noble/ciphers/utils.js"
import { frameBuffers } from "../../port/frame-buffers.ts"
import { FRAME_BYTES_MAX, REPLAY_WINDOW_FRAMES } from "../../bounds/network-bounds.ts"
import { nobleHopCipher, type HopCipher } from "../shared/hop-cipher.ts"
import { ReplayWindow } from "../shared/replay-window.ts"
import { ASSOCIATION_ID_BYTES, otherRole, type HopKeys, type Role } from "./transcript.ts"

/**
 * Hop-by-hop protection of one direction, of reliable or of unreliable frames: `kind, association id, sequence,
 * ciphertext`, AEAD over all of it. Reliable frames are ordered, so any sequence number but the next is an attack, and
 * the refusal says which. Unreliable frames have a replay window.
 *
 * Written by hand without the codec library: it is on the path of every byte, and the header has a fixed format.
 */
export const HOP_FRAME_KIND = 3
export const UNRELIABLE_FRAME_KIND = 4
const HEADER_BYTES = 1 + ASSOCIATION_ID_BYTES + 8
const TAG_BYTES = 16

const HOP_REFUSALS = ["malformed", "other-association", "replayed", "gap", "forged"] as const
export type HopRefusal = (typeof HOP_REFUSALS)[number]

/** Whether a frame was refused that did not open. Everybody on its path could have made it so. */
export function isUnopened(refusal: string): refusal is HopRefusal {
  return (HOP_REFUSALS as readonly string[]).includes(refusal)
}

/** Both directions of both kinds of frames under one set of keys, as one end uses them. */
export type Hop = {
  readonly associationId: Uint8Array
  readonly cipher: HopCipher
  readonly sealer: HopSealer
  readonly opener: HopOpener
  readonly unreliableSealer: HopSealer
  readonly unreliableOpener: HopOpener
  /** Overwrites the keys. */
  forget(): void
}

export function createHop({ reliable, unreliable, associationId }: HopKeys, role: Role, cipher = nobleHopCipher): Hop {
  const peer = otherRole(role)
  const sealer = new HopSealer({ key: reliable[role], associationId, kind: HOP_FRAME_KIND, cipher })
  const opener = new HopOpener({ key: reliable[peer], associationId, kind: HOP_FRAME_KIND, cipher })
  const unreliableSealer = new HopSealer({ key: unreliable[role], associationId, kind: UNRELIABLE_FRAME_KIND, cipher })
  const unreliableOpener = new HopOpener({ key: unreliable[peer], associationId, kind: UNRELIABLE_FRAME_KIND, cipher })
  const forget = (): void => {
    for (const keys of [reliable, unreliable]) for (const key of [keys.initiator, keys.responder]) key.fill(0)
  }
  return { associationId, cipher, sealer, opener, unreliableSealer, unreliableOpener, forget }
}

type Direction = {
  readonly key: Uint8Array
  readonly associationId: Uint8Array
  readonly kind: typeof HOP_FRAME_KIND | typeof UNRELIABLE_FRAME_KIND
  readonly cipher: HopCipher
}

export class HopSealer {
  readonly #direction: Direction
  #sequence = 0

  constructor(direction: Direction) {
    this.#direction = direction
  }

  seal(plain: Uint8Array): Uint8Array {
    if (plain.length > FRAME_BYTES_MAX) throw new RangeError("a hop frame is longer than its bound")
    const { key, associationId, kind, cipher } = this.#direction
    const frame = frameBuffers.take(HEADER_BYTES + plain.length + TAG_BYTES)
    frame[0] = kind
    frame.set(associationId, 1)
    writeSequence(frame, 1 + ASSOCIATION_ID_BYTES, this.#sequence)
    const header = frame.subarray(0, HEADER_BYTES)
    cipher.seal(key, nonceOf(this.#sequence), header, plain, frame.subarray(HEADER_BYTES))
    this.#sequence += 1
    return frame
  }
}

export class HopOpener {
  readonly #direction: Direction
  readonly #window: ReplayWindow | null
  #sequence = 0

  constructor(direction: Direction) {
    this.#direction = direction
    this.#window = direction.kind === UNRELIABLE_FRAME_KIND ? new ReplayWindow(REPLAY_WINDOW_FRAMES) : null
  }

  /** The returned bytes are valid only until the next frame is sealed or opened, also by another opener. */
  open(frame: Uint8Array): Uint8Array | { readonly refused: HopRefusal } {
    const { key, associationId, kind, cipher } = this.#direction
    if (frame.length < HEADER_BYTES + TAG_BYTES || frame.length > HEADER_BYTES + FRAME_BYTES_MAX + TAG_BYTES)
      return { refused: "malformed" }
    if (frame[0] !== kind) return { refused: "malformed" }
    if (!equalBytes(frame.subarray(1, 1 + ASSOCIATION_ID_BYTES), associationId)) return { refused: "other-association" }
    const sequence = readSequence(frame, 1 + ASSOCIATION_ID_BYTES)
    if (sequence > Number.MAX_SAFE_INTEGER) return { refused: "malformed" }
    const outOfPlace = this.#outOfPlace(sequence)
    if (outOfPlace) return { refused: outOfPlace }
    const header = frame.subarray(0, HEADER_BYTES)
    const plain = cipher.open(key, nonceOf(sequence), header, frame.subarray(HEADER_BYTES))
    if (plain === null) return { refused: "forged" }
    // Only after authentication: a forged frame must not advance the sequence.
    this.#sequence += 1
    this.#window?.accept(sequence)
    return plain
  }

  #outOfPlace(sequence: number): HopRefusal | null {
    if (this.#window) return this.#window.isFresh(sequence) ? null : "replayed"
    if (sequence === this.#sequence) return null
    return sequence < this.#sequence ? "replayed" : "gap"
  }
}

function nonceOf(sequence: number): Uint8Array {
  const nonce = new Uint8Array(12)
  writeSequence(nonce, 4, sequence)
  return nonce
}

/** Written byte by byte: creating a DataView each time takes longer. */
function writeSequence(bytes: Uint8Array, at: number, sequence: number): void {
  let rest = sequence
  for (let i = at + 7; i >= at; i--) {
    bytes[i] = rest % 256
    rest = Math.floor(rest / 256)
  }
}

/** Exact up to 2^53. Larger numbers still give at least 2^53. */
function readSequence(bytes: Uint8Array, at: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4)
}
