/** The wire format of BD, version 1: messages. Attachments: clusters/attachment.ts; there is no public state. */
import * as P from "micro-packed"
import { attempt, versioned } from "../shared/coders.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"

/**
 * `difference`: the sender's X. `opening`: its share, once the sum of all X has shown that one of them is wrong. Neither the
 * element nor the scalar has been checked.
 */
export type Message =
  | { readonly kind: "difference"; readonly difference: Uint8Array }
  | { readonly kind: "opening"; readonly share: Uint8Array }

export type BdCodec = {
  encodeMessage(message: Message): Uint8Array
  /** null for bytes that are not the canonical encoding of a message. */
  decodeMessage(bytes: Uint8Array): Message | null
}

export function createBdCodec(group: PrimeOrderGroup): BdCodec {
  const coder = versioned(
    P.mappedTag(P.U8, {
      difference: [1, P.struct({ difference: P.bytes(group.elementBytes) })],
      opening: [2, P.struct({ share: P.bytes(group.scalarBytes) })],
    }),
  )
  return {
    encodeMessage: (message) =>
      coder.encode(
        message.kind === "difference"
          ? { TAG: "difference", data: { difference: message.difference } }
          : { TAG: "opening", data: { share: message.share } },
      ),
    decodeMessage(bytes) {
      const decoded = attempt(coder, bytes)
      if (!decoded) return null
      return decoded.TAG === "difference"
        ? { kind: "difference", ...decoded.data }
        : { kind: "opening", ...decoded.data }
    },
  }
}
