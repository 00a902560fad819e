/** The attachment to the SYNC of modules whose members are in an order, in version 1 of the wire format. */
import { ByteFiller } from "../shared/byte-layout.ts"
import { HASH_BYTES, STANDING_BYTES } from "../clusters/attachment.ts"
import { attemptRead, VERSION } from "../shared/coders.ts"
import { MEMBERS_MAX } from "../shared/limits.ts"
import type { Standing } from "./order.ts"

/** `share`: the fresh public share, not yet checked; empty where the module has no use for one. */
export type SeatAttachment = { readonly share: Uint8Array; readonly standing: Standing | null }

export type SeatAttachmentCodec = {
  encode(attachment: SeatAttachment): Uint8Array
  /** null for bytes that are not the canonical encoding of an attachment. */
  decode(bytes: Uint8Array): SeatAttachment | null
}

const NEWCOMER_TAG = 0
const STANDING_TAG = 1
const SEAT_BYTES = 2 + 8

/** Hand-written for speed: every member decodes all of a view's attachments. */
export function createSeatAttachmentCodec(shareBytes: number): SeatAttachmentCodec {
  const newcomerBytes = 2 + shareBytes
  return {
    encode({ share, standing }) {
      if (!standing) return new ByteFiller(newcomerBytes).u8(VERSION).u8(NEWCOMER_TAG).put(share).done()
      return new ByteFiller(newcomerBytes + STANDING_BYTES + SEAT_BYTES)
        .u8(VERSION)
        .u8(STANDING_TAG)
        .put(share)
        .put(standing.epochId)
        .put(standing.stateHash)
        .u16(standing.place)
        .u64(standing.sinceEpoch)
        .done()
    },
    decode: (bytes) =>
      attemptRead(bytes, (reader): SeatAttachment => {
        const tag = reader.u8()
        if (tag !== NEWCOMER_TAG && tag !== STANDING_TAG) throw new RangeError("unknown attachment")
        const share = reader.bytes(shareBytes)
        if (tag === NEWCOMER_TAG) return { share, standing: null }
        const [epochId, stateHash] = [reader.bytes(HASH_BYTES), reader.bytes(HASH_BYTES)]
        const place = reader.u16()
        if (place >= MEMBERS_MAX) throw new RangeError("no view has so many members")
        return { share, standing: { epochId, stateHash, place, sinceEpoch: reader.u64() } }
      }),
  }
}
