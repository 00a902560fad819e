import { FRAME_BYTES_MAX, MESSAGE_BYTES_MAX } from "./bounds.ts"

/**
 * Messages to hop frames and back, above hop protection: the boundaries between messages are under the seal, and a
 * fragment out of place cannot exist, since the frames that carry fragments come in order or not at all.
 *
 * A frame is a row of pieces: two bytes with the piece's length in the lower 15 bits and "more follows" in the
 * highest, then the piece. Small messages share a frame; a large one takes several.
 */
const PIECE_HEADER_BYTES = 2
const MORE = 0x8000
const PIECE_BYTES_MAX = FRAME_BYTES_MAX - PIECE_HEADER_BYTES

/** Fills frames with the pieces of `messages`, each at most `MESSAGE_BYTES_MAX` long. */
export function packMessages(messages: readonly Uint8Array[]): Uint8Array[] {
  const frames: Uint8Array[] = []
  let frame = new Uint8Array(FRAME_BYTES_MAX)
  let filled = 0
  const finishFrame = (): void => {
    if (filled > 0) frames.push(frame.subarray(0, filled))
    frame = new Uint8Array(FRAME_BYTES_MAX)
    filled = 0
  }
  for (const message of messages) {
    let offset = 0
    do {
      // A piece is cut only where its message does not fit a whole frame: cutting small ones costs more than it saves.
      const left = message.length - offset
      if (filled + PIECE_HEADER_BYTES + Math.min(left, PIECE_BYTES_MAX) > FRAME_BYTES_MAX) finishFrame()
      const length = Math.min(left, PIECE_BYTES_MAX)
      new DataView(frame.buffer).setUint16(filled, length | (length < left ? MORE : 0))
      frame.set(message.subarray(offset, offset + length), filled + PIECE_HEADER_BYTES)
      filled += PIECE_HEADER_BYTES + length
      offset += length
    } while (offset < message.length)
  }
  finishFrame()
  return frames
}

export type PackingRefusal = "malformed-frame" | "message-too-long"

/** Reassembly of one direction of a link; holds at most `MESSAGE_BYTES_MAX` of an unfinished message. */
export class Unpacker {
  #pieces: Uint8Array[] = []
  #bytes = 0

  unpack(frame: Uint8Array): Uint8Array[] | { readonly refused: PackingRefusal } {
    const messages: Uint8Array[] = []
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length)
    let offset = 0
    do {
      if (offset + PIECE_HEADER_BYTES > frame.length) return { refused: "malformed-frame" }
      const header = view.getUint16(offset)
      const start = offset + PIECE_HEADER_BYTES
      offset = start + (header & ~MORE)
      if (offset > frame.length) return { refused: "malformed-frame" }
      // An endless message of empty pieces would grow the list without growing its bytes.
      if ((header & MORE) !== 0 && offset === start) return { refused: "malformed-frame" }
      this.#bytes += offset - start
      if (this.#bytes > MESSAGE_BYTES_MAX) return { refused: "message-too-long" }
      this.#pieces.push(frame.subarray(start, offset))
      if ((header & MORE) === 0) messages.push(this.#finishMessage())
    } while (offset < frame.length)
    return messages
  }

  #finishMessage(): Uint8Array {
    const [first] = this.#pieces
    if (first !== undefined && this.#pieces.length === 1) {
      this.#reset()
      return first.slice()
    }
    const message = new Uint8Array(this.#bytes)
    let offset = 0
    for (const piece of this.#pieces) {
      message.set(piece, offset)
      offset += piece.length
    }
    this.#reset()
    return message
  }

  #reset(): void {
    this.#pieces = []
    this.#bytes = 0
  }
}
