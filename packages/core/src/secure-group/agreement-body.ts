import { memberIdFromBytes, memberIdToBytes, type MemberId } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"

/** Body of an `agreement` frame: a message of the key agreement module, or a proof that its sender holds the key. */
export type AgreementBody =
  | { readonly type: "message"; readonly bytes: Uint8Array }
  | { readonly type: "confirmation"; readonly tag: Uint8Array }
  /** A message of the post-quantum agreement. */
  | { readonly type: "postQuantum"; readonly bytes: Uint8Array }
  /**
   * Addressed to one member; others ignore it. The frame's signature covers view, number and addressee. It arrives in
   * order, and is not lost while sender and addressee stay together.
   */
  | { readonly type: "unicast"; readonly to: MemberId; readonly bytes: Uint8Array }

const MESSAGE = 0
const CONFIRMATION = 1
const UNICAST = 2
const POST_QUANTUM = 3
const CONFIRMATION_BYTES = 32
const MEMBER_ID_BYTES = 16

export function encodeAgreementBody(body: AgreementBody): Uint8Array {
  switch (body.type) {
    case "message":
      return concatBytes(Uint8Array.of(MESSAGE), body.bytes)
    case "confirmation":
      return concatBytes(Uint8Array.of(CONFIRMATION), body.tag)
    case "postQuantum":
      return concatBytes(Uint8Array.of(POST_QUANTUM), body.bytes)
    case "unicast":
      return concatBytes(Uint8Array.of(UNICAST), memberIdToBytes(body.to), body.bytes)
  }
}

/** A statement of majority with its signature (64 bytes), as members of a roster send it. */
export type RosterBody = {
  readonly via: "unicast" | "multicast"
  readonly statement: Uint8Array
  readonly signature: Uint8Array
}
const SIGNATURE_BYTES = 64

export function encodeRosterBody({ via, statement, signature }: RosterBody): Uint8Array {
  return concatBytes(Uint8Array.of(via === "multicast" ? MESSAGE : UNICAST), statement, signature)
}

export function decodeRosterBody(bytes: Uint8Array): RosterBody | null {
  const [tag] = bytes
  if (bytes.length <= 1 + SIGNATURE_BYTES || (tag !== MESSAGE && tag !== UNICAST)) return null
  const via = tag === MESSAGE ? "multicast" : "unicast"
  return { via, statement: bytes.subarray(1, -SIGNATURE_BYTES), signature: bytes.subarray(-SIGNATURE_BYTES) }
}

export function decodeAgreementBody(bytes: Uint8Array): AgreementBody | null {
  const rest = bytes.subarray(1)
  if (bytes[0] === MESSAGE) return { type: "message", bytes: rest }
  if (bytes[0] === POST_QUANTUM) return { type: "postQuantum", bytes: rest }
  if (bytes[0] === CONFIRMATION && rest.length === CONFIRMATION_BYTES) return { type: "confirmation", tag: rest }
  if (bytes[0] !== UNICAST || rest.length < MEMBER_ID_BYTES) return null
  const to = memberIdFromBytes(rest.slice(0, MEMBER_ID_BYTES))
  return { type: "unicast", to, bytes: rest.subarray(MEMBER_ID_BYTES) }
}
