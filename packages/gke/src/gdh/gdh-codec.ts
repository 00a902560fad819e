/** The wire format of GDH's messages, version 1. */
import * as P from "micro-packed"
import { attempt, forOthers, versioned } from "../shared/coders.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"

const HASH_BYTES = 32

/**
 * `token`: from one member of the chain to the next; `trail` is the hash of the one before. `broadcast`: the last
 * token, to all members. `factored`: the broadcast without its sender's share, to the controller. `list`: the partial
 * keys of all but the controller, by seat. Its `unicasts` is the hash of all previous unicasts; its `commitment` is to
 * the group key.
 */
export type Message =
  | { readonly kind: "token"; readonly trail: Uint8Array; readonly element: Uint8Array }
  | { readonly kind: "broadcast"; readonly element: Uint8Array }
  | { readonly kind: "factored"; readonly element: Uint8Array }
  | { readonly kind: "list"; readonly list: PartialKeyList }

export type PartialKeyList = {
  readonly unicasts: Uint8Array
  readonly commitment: Uint8Array
  readonly partials: readonly Uint8Array[]
}

export type GdhCodec = {
  encode(message: Message): Uint8Array
  /** null for bytes that are not the canonical encoding of a message. Elements are not yet checked. */
  decode(bytes: Uint8Array): Message | null
}

export function createGdhCodec(group: PrimeOrderGroup): GdhCodec {
  const element = P.bytes(group.elementBytes)
  const hash = P.bytes(HASH_BYTES)
  const coder = versioned(
    P.mappedTag(P.U8, {
      token: [0, P.struct({ trail: hash, element })],
      broadcast: [1, P.struct({ element })],
      factored: [2, P.struct({ element })],
      list: [3, P.struct({ unicasts: hash, commitment: hash, partials: forOthers(element) })],
    }),
  )
  return {
    encode(message) {
      if (message.kind === "token") return coder.encode({ TAG: "token", data: message })
      if (message.kind !== "list") return coder.encode({ TAG: message.kind, data: message })
      return coder.encode({ TAG: "list", data: { ...message.list, partials: [...message.list.partials] } })
    },
    decode(bytes) {
      const decoded = attempt(coder, bytes)
      if (!decoded) return null
      if (decoded.TAG === "token") return { kind: "token", ...decoded.data }
      return decoded.TAG === "list"
        ? { kind: "list", list: decoded.data }
        : { kind: decoded.TAG, element: decoded.data.element }
    },
  }
}
