/** What rides on the SYNC of the modules whose members stand in an order, in version 1 of the wire format. */
import * as P from "micro-packed"
import { attempt, versioned } from "../codec.ts"
import { MEMBERS_MAX } from "../limits.ts"
import type { Standing } from "./order.ts"

const HASH_BYTES = 32

/** `share`: the fresh public share, not yet checked; empty where the module has no use for one. */
export type SeatAttachment = { readonly share: Uint8Array; readonly standing: Standing | null }

export type SeatAttachmentCodec = {
  encode(attachment: SeatAttachment): Uint8Array
  /** null for whatever is not the canonical encoding of an attachment. */
  decode(bytes: Uint8Array): SeatAttachment | null
}

export function createSeatAttachmentCodec(shareBytes: number): SeatAttachmentCodec {
  const share = P.bytes(shareBytes)
  const standing = P.struct({
    share,
    epochId: P.bytes(HASH_BYTES),
    stateHash: P.bytes(HASH_BYTES),
    place: P.validate(P.U16BE, (place) => {
      if (place >= MEMBERS_MAX) throw new RangeError("no view has so many members")
      return place
    }),
    sinceEpoch: epochCoder,
  })
  const coder = versioned(P.mappedTag(P.U8, { newcomer: [0, P.struct({ share })], standing: [1, standing] }))
  return {
    encode: ({ share, standing }) =>
      coder.encode(standing ? { TAG: "standing", data: { share, ...standing } } : { TAG: "newcomer", data: { share } }),
    decode(bytes) {
      const decoded = attempt(coder, bytes)
      if (!decoded) return null
      if (decoded.TAG === "newcomer") return { share: decoded.data.share, standing: null }
      const { share, ...standing } = decoded.data
      return { share, standing }
    },
  }
}

/** A safe integer in eight bytes. */
const epochCoder: P.CoderType<number> = P.wrap({
  encodeStream: (writer, value: number) => P.U64BE.encodeStream(writer, BigInt(value)),
  decodeStream(reader) {
    const value = Number(P.U64BE.decodeStream(reader))
    if (!Number.isSafeInteger(value)) throw reader.err("epoch too large")
    return value
  },
})
