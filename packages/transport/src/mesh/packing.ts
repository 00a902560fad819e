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

/** Reassembly of one direction of a link; holds at most `MESSAGE_BYTES_MAX` of an unfinished parcel. */
export class Unpacker {
  #pieces: Uint8Array[] = []
  #bytes = 0
  #control = false

  /** True in the midst of a parcel. */
  get unfinished(): boolean {
    return this.#pieces.length > 0
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
      // An endless parcel of empty pieces would grow the list without growing its bytes.
      if (more && offset === start) return { refused: "malformed-frame" }
      this.#bytes += offset - start
      if (this.#bytes > MESSAGE_BYTES_MAX) return { refused: "message-too-long" }
      this.#pieces.push(frame.subarray(start, offset))
      this.#control = control
      if (!more) parcels.push({ control, bytes: this.#finish() })
    } while (offset < frame.length)
    return parcels
  }

  #finish(): Uint8Array {
    const [first] = this.#pieces
    const whole = first !== undefined && this.#pieces.length === 1 ? first.slice() : this.#join()
    this.#pieces = []
    this.#bytes = 0
    return whole
  }

  #join(): Uint8Array {
    const joined = new Uint8Array(this.#bytes)
    let offset = 0
    for (const piece of this.#pieces) {
      joined.set(piece, offset)
      offset += piece.length
    }
    return joined
  }
}
