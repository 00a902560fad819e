import { FRAME_BYTES_MAX, MESSAGE_BYTES_MAX } from "./bounds.ts"

/** What travels in a frame: a message of the layer above, or what the two meshes say to each other (control.ts). */
export type Parcel = { readonly control: boolean; readonly bytes: Uint8Array }

/**
 * Parcels to hop frames and back, above hop protection: the boundaries between parcels are under the seal, and a
 * fragment out of place cannot exist, since the frames that carry fragments come in order or not at all.
 *
 * A frame is a row of pieces: two bytes with the piece's length in the lower 14 bits, "more follows" in the highest and
 * "control" in the one below, then the piece. Small parcels share a frame; a large one takes several.
 */
const PIECE_HEADER_BYTES = 2
const MORE = 0x8000
const CONTROL = 0x4000
const LENGTH = 0x3fff
/** Two pieces of a long parcel fill a frame. */
const PIECE_BYTES_MAX = FRAME_BYTES_MAX / 2 - PIECE_HEADER_BYTES

/** Where frames are put together, one after another: sealing copies what is in it. */
const scratch = new Uint8Array(FRAME_BYTES_MAX)
const scratchView = new DataView(scratch.buffer)

/**
 * Fills frames with the pieces of `parcels`, each at most `MESSAGE_BYTES_MAX` long.
 * @param seal is given each frame in turn, whose bytes stand only until it returns, and must not pack others.
 */
export function packParcels<T>(parcels: readonly Parcel[], seal: (frame: Uint8Array) => T): T[] {
  const sealed: T[] = []
  let filled = 0
  const finishFrame = (): void => {
    if (filled > 0) sealed.push(seal(scratch.subarray(0, filled)))
    filled = 0
  }
  for (const { control, bytes } of parcels) {
    let offset = 0
    do {
      // A piece is cut only where it would be too long: to cut at the end of a frame, too, costs more than it saves.
      const rest = bytes.length - offset
      const length = Math.min(rest, PIECE_BYTES_MAX)
      if (filled + PIECE_HEADER_BYTES + length > FRAME_BYTES_MAX) finishFrame()
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

/** The room that a long parcel is given with its first piece, where the one before it took as much. */
const FORESEEN_BYTES_MAX = 512 * 1024

/**
 * Reassembly of one direction of a link; holds at most `MESSAGE_BYTES_MAX` of an unfinished parcel. What is unpacked is
 * copied: the bytes of a frame stand only until the next one is opened.
 */
export class Unpacker {
  /** The unfinished parcel, and room behind it. */
  #room: Uint8Array | null = null
  #bytes = 0
  #control = false
  #foreseenBytes = 0

  /** True in the midst of a parcel. */
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
      // An endless parcel of empty pieces would never come to its bound.
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
      // Only where the piece is a whole one: a frame of tiny parcels would have gigabytes allocated.
      const foreseen = piece.length === PIECE_BYTES_MAX ? this.#foreseenBytes : 0
      const ample = former ? Math.min(2 * former.length, MESSAGE_BYTES_MAX) : foreseen
      this.#room = new Uint8Array(Math.max(bytes, ample))
      if (former) this.#room.set(former.subarray(0, this.#bytes))
    }
    this.#room!.set(piece, this.#bytes)
    this.#bytes = bytes
  }

  /** Of many in a row most are as long as the one before: such a one stands in its room already. */
  #finish(): Uint8Array {
    const [room, bytes] = [this.#room!, this.#bytes]
    this.#room = null
    this.#bytes = 0
    this.#foreseenBytes = Math.min(bytes, FORESEEN_BYTES_MAX)
    return room.length === bytes ? room : room.slice(0, bytes)
  }
}
