/** The wire formats of the post-quantum agreement, version 1: its attachment and its two messages. */
import * as P from "micro-packed"
import { STANDING_BYTES } from "../clusters/attachment.ts"
import { isKemPublicKey, KEM_PUBLIC_KEY_BYTES } from "../kem/kem.ts"
import { createSeatAttachmentCodec, type SeatAttachmentCodec } from "../seniority/seat-attachment.ts"
import { attempt, forOthers, versioned } from "../shared/coders.ts"
import { SEALED_SEED_BYTES } from "./kem-sealing.ts"

const bare = createSeatAttachmentCodec(0)
const keyed = createSeatAttachmentCodec(KEM_PUBLIC_KEY_BYTES)
/** More than a standing and its seat, less than a key. */
const BARE_BYTES_MAX = 2 * STANDING_BYTES

/**
 * `share` is the member's public key, or empty from a member with a standing that keeps its key. Every member checks
 * every key, so all have one verdict about an attachment.
 */
export const kemAttachmentCodec: SeatAttachmentCodec = {
  encode: (attachment) => (attachment.share.length > 0 ? keyed : bare).encode(attachment),
  decode(bytes) {
    const attachment = (bytes.length > BARE_BYTES_MAX ? keyed : bare).decode(bytes)
    if (!attachment) return null
    const { share, standing } = attachment
    const isFit = share.length > 0 ? isKemPublicKey(share) : standing !== null
    return isFit ? attachment : null
  },
}

/**
 * - `key`: the public key of a member that enters and attached none.
 * - `seed`: the leader's. `isForward`: the next seed follows from the last one, and `sealed` is for those that enter.
 *   Otherwise the seed is fresh, and `sealed` is for all other members. Both in the order of the members' ids.
 *   `commitment`: to the seed of this view.
 */
export type KemMessage =
  | { readonly type: "key"; readonly publicKey: Uint8Array }
  | {
      readonly type: "seed"
      readonly isForward: boolean
      readonly commitment: Uint8Array
      readonly sealed: readonly Uint8Array[]
    }

const message = versioned(
  P.mappedTag(P.U8, {
    key: [
      0,
      P.validate(P.bytes(KEM_PUBLIC_KEY_BYTES), (key) => {
        if (!isKemPublicKey(key)) throw new RangeError("the key is not reduced")
        return key
      }),
    ],
    seed: [1, P.struct({ isForward: P.bool, commitment: P.bytes(32), sealed: forOthers(P.bytes(SEALED_SEED_BYTES)) })],
  }),
)

export function encodeKemMessage(value: KemMessage): Uint8Array {
  if (value.type === "key") return message.encode({ TAG: "key", data: value.publicKey })
  const { isForward, commitment, sealed } = value
  return message.encode({ TAG: "seed", data: { isForward, commitment, sealed: [...sealed] } })
}

/** null for bytes that are not the canonical encoding of a message. */
export function decodeKemMessage(bytes: Uint8Array): KemMessage | null {
  const decoded = attempt(message, bytes)
  if (!decoded) return null
  return decoded.TAG === "key" ? { type: "key", publicKey: decoded.data } : { type: "seed", ...decoded.data }
}
