import {
  FRAME_BYTES_MAX,
  MESSAGE_BYTES_MAX,
  PACKET_FRAME_BYTES_MAX,
  SHORT_TURN_BYTES_MAX,
  UNRELIABLE_BYTES_MAX,
  UNRELIABLE_WAITING_BYTES_MAX,
} from "../../bounds/network-bounds.ts"
import { decodeControl, encodeControl, type Control } from "../messages/control.ts"
import type { Kem } from "../shared/kem.ts"
import type { X25519 } from "../shared/x25519.ts"
import type { Hop, HopRefusal } from "./hop.ts"
import { Rekey, type RekeyRefusal } from "./rekey.ts"
import type { Role } from "./transcript.ts"
import type { Randomness } from "../shared/randomness.ts"

export type ChannelRefusal = HopRefusal | PackingRefusal | RekeyRefusal | "malformed-control"
export type Received =
  { readonly type: "message"; readonly bytes: Uint8Array } | { readonly type: "control"; readonly control: Control }
export type Frames = { readonly reliable: readonly Uint8Array[]; readonly unreliable: readonly Uint8Array[] }

const NO_FRAMES: Frames = { reliable: [], unreliable: [] }

/**
 * An established association: packs and seals outgoing messages, opens and unpacks incoming ones. Each direction
 * changes keys at its own point of the stream (rekey.ts), so nothing waits and nothing is lost.
 */
export class SealedChannel {
  readonly #rekey: Rekey
  readonly #unpacker = new Unpacker()
  #outbox: Parcel[] = []
  #isFast = false
  /** Frames sealed under former keys that `flush` has not returned yet. */
  #sealed: Uint8Array[] = []
  #unreliable: Uint8Array[] = []
  #unreliableBytes = 0

  /** `kem`: null unless the association is hybrid. */
  constructor(hop: Hop, role: Role, random: Randomness, nowMs: number, kem: Kem | null, x25519?: X25519) {
    this.#rekey = new Rekey(hop, role, random, nowMs, kem, x25519)
  }

  /** Queues for the next `flush`. `isFast`: long frames cause no silence that the other end would notice. */
  queue(message: Uint8Array, isFast = false): void {
    if (message.length > MESSAGE_BYTES_MAX)
      throw new RangeError(`a message over a link has at most ${MESSAGE_BYTES_MAX} bytes`)
    this.#isFast = isFast
    this.#outbox.push({ control: false, bytes: message })
  }

  control(control: Control): void {
    this.#outbox.push({ control: true, bytes: encodeControl(control) })
  }

  /** Whether a message has come only in part. */
  get isReceiving(): boolean {
    return this.#unpacker.unfinished
  }

  /** Returns false for a message too long for an unreliable frame. */
  queueUnreliable(message: Uint8Array): boolean {
    if (message.length > UNRELIABLE_BYTES_MAX) return false
    this.#unreliable.push(message)
    this.#unreliableBytes += message.length
    while (this.#unreliableBytes > UNRELIABLE_WAITING_BYTES_MAX) {
      this.#unreliableBytes -= this.#unreliable.shift()!.length
    }
    return true
  }

  /** Call regularly: keys expire by time. */
  tick(nowMs: number): void {
    const offer = this.#rekey.tick(nowMs)
    if (offer) this.control(offer)
  }

  /** Packs the queued messages into frames of one packet each. Much for a fast link goes into few long frames. */
  flush(): Frames {
    if (this.#isEmpty) return NO_FRAMES
    this.#sealOutbox()
    const reliable = this.#sealed
    const parcels = this.#unreliable.map((bytes) => ({ control: false, bytes }))
    const unreliable = packParcels(parcels, (plain) => this.#rekey.sealUnreliable(plain))
    this.#sealed = []
    this.#unreliable = []
    this.#unreliableBytes = 0
    return { reliable, unreliable }
  }

  /** Most of the time: each tick flushes every channel. */
  get #isEmpty(): boolean {
    return this.#outbox.length === 0 && this.#sealed.length === 0 && this.#unreliable.length === 0
  }

  open(frame: Uint8Array, nowMs: number): Received[] | { readonly refused: ChannelRefusal } {
    const plain = this.#rekey.open(frame)
    const parcels = "refused" in plain ? plain : this.#unpacker.unpack(plain)
    if ("refused" in parcels) return parcels
    const received: Received[] = []
    for (const { control, bytes } of parcels) {
      if (!control) {
        received.push({ type: "message", bytes })
        continue
      }
      const decoded = decodeControl(bytes)
      if (decoded === null) return { refused: "malformed-control" }
      const refused = this.#handleRekey(decoded, nowMs)
      if (refused) return { refused }
      if (!decoded.kind.startsWith("rekey")) received.push({ type: "control", control: decoded })
    }
    return received
  }

  /** A frame that does not open counts as lost: an unreliable one proves no fault. */
  openUnreliable(frame: Uint8Array): Uint8Array[] {
    const plain = this.#rekey.openUnreliable(frame)
    const unpacker = new Unpacker()
    const parcels = plain && unpacker.unpack(plain)
    if (!parcels || "refused" in parcels) return []
    return parcels.flatMap(({ control, bytes }) => (control ? [] : [bytes]))
  }

  forget(): void {
    this.#rekey.forget()
  }

  #handleRekey(control: Control, nowMs: number): RekeyRefusal | null {
    if (control.kind !== "rekeyOffer" && control.kind !== "rekeyAnswer" && control.kind !== "rekeyDone") return null
    const result = this.#rekey.handle(control, nowMs)
    if ("refused" in result) return result.refused
    if (result.last) {
      this.control(result.last)
      this.#sealOutbox()
    }
    result.switchSending()
    return null
  }

  #sealOutbox(): void {
    const frameBytes = frameBytesFor(this.#outbox, this.#isFast)
    const sealed = packParcels(this.#outbox, (plain) => this.#rekey.seal(plain), frameBytes)
    this.#sealed = this.#sealed.length > 0 ? [...this.#sealed, ...sealed] : sealed
    this.#outbox = []
  }
}

function frameBytesFor(parcels: readonly Parcel[], isFast: boolean): number {
  const bytes = parcels.reduce((sum, parcel) => sum + parcel.bytes.length, 0)
  return isFast && bytes > SHORT_TURN_BYTES_MAX ? FRAME_BYTES_MAX : PACKET_FRAME_BYTES_MAX
}

/** The content of a frame: a message of the layer above, or a control message between the two meshes (control.ts). */
export type Parcel = { readonly control: boolean; readonly bytes: Uint8Array }

/**
 * Packs parcels into hop frames and back, above hop protection, so the boundaries between parcels are sealed. A
 * fragment out of place cannot exist, since the frames with fragments come in order or not at all.
 *
 * A frame is a sequence of pieces. Each starts with two bytes: the piece's length in the lower 14 bits, "more follows"
 * in the highest and "control" in the one below. Small parcels share a frame. A large one takes several.
 */
const PIECE_HEADER_BYTES = 2
const MORE = 0x8000
const CONTROL = 0x4000
const LENGTH = 0x3fff
/** Two pieces of a long parcel fill a long frame. */
const PIECE_BYTES_MAX = FRAME_BYTES_MAX / 2 - PIECE_HEADER_BYTES

/** Buffer in which frames are built, one after another. Sealing copies its content. */
const scratch = new Uint8Array(FRAME_BYTES_MAX)
const scratchView = new DataView(scratch.buffer)

/**
 * Fills frames with the pieces of `parcels`, each at most `MESSAGE_BYTES_MAX` long.
 * @param seal is called with each frame in turn. The frame's bytes are valid only until it returns. It must not call
 * `packParcels`.
 * @param frameBytesMax up to `FRAME_BYTES_MAX`
 */
export function packParcels<T>(
  parcels: readonly Parcel[],
  seal: (frame: Uint8Array) => T,
  frameBytesMax = FRAME_BYTES_MAX,
): T[] {
  const pieceBytesMax = Math.min(PIECE_BYTES_MAX, frameBytesMax - PIECE_HEADER_BYTES)
  const sealed: T[] = []
  let filled = 0
  const finishFrame = (): void => {
    if (filled > 0) sealed.push(seal(scratch.subarray(0, filled)))
    filled = 0
  }
  for (const { control, bytes } of parcels) {
    let offset = 0
    do {
      // A piece is split only if it is too long. Splitting at the end of a frame, too, costs more than it saves.
      const rest = bytes.length - offset
      const length = Math.min(rest, pieceBytesMax)
      if (filled + PIECE_HEADER_BYTES + length > frameBytesMax) finishFrame()
      const flags = (length < rest ? MORE : 0) | (control ? CONTROL : 0)
      scratchView.setUint16(filled, length | flags)
      scratch.set(bytes.subarray(offset, offset + length), filled + PIECE_HEADER_BYTES)
      filled += PIECE_HEADER_BYTES + length
      offset += length
    } while (offset < bytes.length)
  }
  finishFrame()
  return sealed
}

export type PackingRefusal = "malformed-frame" | "message-too-long"

/** Buffer size allocated at the first piece of a long parcel, if the parcel before it was as long. */
const FORESEEN_BYTES_MAX = 512 * 1024

/**
 * Reassembles one direction of a link. Holds at most `MESSAGE_BYTES_MAX` of an unfinished parcel. Parcels are copied
 * out, since the bytes of a frame are valid only until the next one is opened.
 */
export class Unpacker {
  /** The unfinished parcel, with spare space behind it. */
  #room: Uint8Array | null = null
  #bytes = 0
  #control = false
  #foreseenBytes = 0

  /** True between the first and the last piece of a parcel. */
  get unfinished(): boolean {
    return this.#room !== null
  }

  unpack(frame: Uint8Array): Parcel[] | { readonly refused: PackingRefusal } {
    const parcels: Parcel[] = []
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length)
    let offset = 0
    do {
      if (offset + PIECE_HEADER_BYTES > frame.length) return { refused: "malformed-frame" }
      const header = view.getUint16(offset)
      const start = offset + PIECE_HEADER_BYTES
      const more = (header & MORE) !== 0
      const control = (header & CONTROL) !== 0
      offset = start + (header & LENGTH)
      if (offset > frame.length || (this.unfinished && control !== this.#control)) return { refused: "malformed-frame" }
      // An endless parcel of empty pieces would never reach the bound.
      if (more && offset === start) return { refused: "malformed-frame" }
      if (this.#bytes + offset - start > MESSAGE_BYTES_MAX) return { refused: "message-too-long" }
      const piece = frame.subarray(start, offset)
      if (!more && !this.unfinished) parcels.push({ control, bytes: piece.slice() })
      else {
        this.#append(piece)
        this.#control = control
        if (!more) parcels.push({ control, bytes: this.#finish() })
      }
    } while (offset < frame.length)
    return parcels
  }

  #append(piece: Uint8Array): void {
    const former = this.#room
    const bytes = this.#bytes + piece.length
    if (!former || bytes > former.length) {
      // Only for a full piece. Otherwise a frame of tiny parcels would cause allocations of gigabytes.
      const foreseen = piece.length === PIECE_BYTES_MAX ? this.#foreseenBytes : 0
      const ample = former ? Math.min(2 * former.length, MESSAGE_BYTES_MAX) : foreseen
      this.#room = new Uint8Array(Math.max(bytes, ample))
      if (former) this.#room.set(former.subarray(0, this.#bytes))
    }
    this.#room!.set(piece, this.#bytes)
    this.#bytes = bytes
  }

  /** In a series most parcels are as long as the one before. Then the buffer fits exactly and needs no copy. */
  #finish(): Uint8Array {
    const [room, bytes] = [this.#room!, this.#bytes]
    this.#room = null
    this.#bytes = 0
    this.#foreseenBytes = Math.min(bytes, FORESEEN_BYTES_MAX)
    return room.length === bytes ? room : room.slice(0, bytes)
  }
}
