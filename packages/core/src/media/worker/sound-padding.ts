/**
 * Pads the Opus packets of one sound to one size, for browsers that ignore the constant bitrate of a description. Sizes
 * would tell an observer when somebody speaks, and some of what. Decoders skip the padding (RFC 6716, section 3.2.5).
 */

/** Sizes that packets have at first, by their duration: 64 kbit/s. Firefox's encoder seldom needs more. */
const BYTES_PER_MS = 8
/** A larger packet makes all later ones larger, by a multiple of this. */
const STEP_BYTES = 80
/** Bit of the count of frames that announces padding. */
const PADDED = 0x40
/** A length byte of this value stands for 254 bytes of padding, and another length byte follows. */
const FURTHER = 255

/** A packet in the form with a count of frames (code 3). `body`: lengths of frames and frames. */
type Packet = { readonly toc: number; readonly count: number; readonly body: Uint8Array }

export class SoundPadding {
  /** Size of packets by their duration in ms. An encoder has a few. */
  readonly #bytes = new Map<number, number>()

  /** Returns a malformed packet, or one with padding, as it is. */
  pad(bytes: Uint8Array): Uint8Array {
    const packet = counted(bytes)
    if (!packet) return bytes
    const ms = durationOf(packet)
    const needed = Math.ceil((2 + packet.body.length) / STEP_BYTES) * STEP_BYTES
    const size = Math.max(needed, this.#bytes.get(ms) ?? ms * BYTES_PER_MS)
    this.#bytes.set(ms, size)
    return padded(packet, size)
  }
}

function counted(bytes: Uint8Array): Packet | null {
  const [toc, second] = bytes
  if (toc === undefined) return null
  const code = toc & 3
  const count = [1, 2, 0x82, second][code]
  if (count === undefined || (code === 3 && (count & PADDED) !== 0)) return null
  return { toc: toc | 3, count, body: bytes.subarray(code === 3 ? 2 : 1) }
}

/** Table 2 of RFC 6716. */
function durationOf({ toc, count }: Packet): number {
  const config = toc >> 3
  const durations = config < 12 ? [10, 20, 40, 60] : config < 16 ? [10, 20] : [2.5, 5, 10, 20]
  return durations[config % durations.length]! * (count & 63)
}

function padded({ toc, count, body }: Packet, size: number): Uint8Array {
  const packet = new Uint8Array(size)
  const rest = size - 2 - body.length
  packet[0] = toc
  packet[1] = rest > 0 ? count | PADDED : count
  if (rest === 0) {
    packet.set(body, 2)
    return packet
  }
  const further = Math.floor((rest - 1) / FURTHER)
  packet.fill(FURTHER, 2, 2 + further)
  packet[2 + further] = rest - 1 - further * FURTHER
  packet.set(body, 3 + further)
  return packet
}
