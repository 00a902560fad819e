/** The wire format of CKD's only message, version 1. */
import * as P from "micro-packed"
import { attempt, versioned } from "../shared/coders.ts"
import { MEMBERS_MAX } from "../shared/limits.ts"
import { SEALED_BYTES } from "./sealing.ts"

/**
 * The one multicast of a view, its controller's. `commitment`: to the group secret (32 bytes). `sealed`: the group secret
 * for each other member, sorted by member.
 */
export type Message = { readonly commitment: Uint8Array; readonly sealed: readonly Uint8Array[] }

const message = versioned(
  P.struct({
    commitment: P.bytes(32),
    sealed: P.validate(P.array(P.U16BE, P.bytes(SEALED_BYTES)), (list) => {
      if (list.length === 0 || list.length >= MEMBERS_MAX)
        throw new RangeError("the number of members is out of bounds")
      return list
    }),
  }),
)

export function encodeMessage({ commitment, sealed }: Message): Uint8Array {
  return message.encode({ commitment, sealed: [...sealed] })
}

/** null for bytes that are not the canonical encoding of a message. */
export function decodeMessage(bytes: Uint8Array): Message | null {
  return attempt(message, bytes)
}
