/** The wire format of CKD's only message, version 1. */
import * as P from "micro-packed"
import { attempt, forOthers, versioned } from "../shared/coders.ts"
import { SEALED_BYTES } from "./sealing.ts"

/**
 * The one multicast of a view, its controller's. `commitment`: to the group secret (32 bytes). `sealed`: the group secret
 * for each other member, sorted by member.
 */
export type Message = { readonly commitment: Uint8Array; readonly sealed: readonly Uint8Array[] }

const message = versioned(P.struct({ commitment: P.bytes(32), sealed: forOthers(P.bytes(SEALED_BYTES)) }))

export function encodeMessage({ commitment, sealed }: Message): Uint8Array {
  return message.encode({ commitment, sealed: [...sealed] })
}

/** null for bytes that are not the canonical encoding of a message. */
export function decodeMessage(bytes: Uint8Array): Message | null {
  return attempt(message, bytes)
}
