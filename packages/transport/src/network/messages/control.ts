import * as P from "micro-packed"
import type { MemberId } from "../../members/ids.ts"
import { KEM_CIPHERTEXT_BYTES, KEM_KEY_BYTES } from "../shared/kem.ts"
import { certificateBytes, memberId, safeInteger, tagged, tryDecode } from "../../wire/codec.ts"

/** Messages that concern other members than the two ends. */
export type CertificateControl = Extract<Control, { readonly kind: "certificateRequest" | "certificate" }>

/**
 * Messages between two meshes under their association. They are neither counted nor retransmitted: each belongs to one
 * connection and is lost with it.
 */
export type Control =
  /** The first message on each connection: the session of this end, and the number of messages received in it. */
  | { readonly kind: "resume"; readonly own: Uint8Array; readonly known: Uint8Array | null; readonly received: number }
  /** Counted messages follow on this connection, starting with this number. */
  | { readonly kind: "start"; readonly next: number }
  /** Acknowledges all messages up to this number. */
  | { readonly kind: "ack"; readonly received: number }
  /** This attempt's connection has ended at this end. */
  | { readonly kind: "over"; readonly attempt: number }
  /** Goodbye: nothing follows on any connection, so do not wait. */
  | { readonly kind: "bye" }
  /** Key and ciphertext are empty unless the association is hybrid. */
  | { readonly kind: "rekeyOffer"; readonly ephemeral: Uint8Array; readonly encapsulationKey: Uint8Array }
  | { readonly kind: "rekeyAnswer"; readonly ephemeral: Uint8Array; readonly ciphertext: Uint8Array }
  /** The last frame under the former keys. */
  | { readonly kind: "rekeyDone" }
  /** Earlier clients of this version relayed for others. They are ignored, and never sent. */
  | { readonly kind: "formerNeighbours" | "formerRelay"; readonly rest: Uint8Array }
  | { readonly kind: "certificateRequest"; readonly member: MemberId }
  /** `null`: not known here. */
  | { readonly kind: "certificate"; readonly member: MemberId; readonly certificate: Uint8Array | null }

const nonce = P.bytes(16)
/** No bytes, or exactly so many, behind their length. */
function noneOr(lengthBytes: number): P.CoderType<Uint8Array> {
  return P.validate(P.bytes(P.U16BE), (bytes) => {
    if (bytes.length !== 0 && bytes.length !== lengthBytes)
      throw new RangeError("a key or ciphertext of another length")
    return bytes
  })
}

const ignored = P.struct({ rest: P.bytes(null) })

const coder = tagged<Control>("kind", {
  resume: [1, P.struct({ own: nonce, known: P.optional(P.bool, nonce), received: safeInteger })],
  start: [2, P.struct({ next: safeInteger })],
  ack: [3, P.struct({ received: safeInteger })],
  over: [4, P.struct({ attempt: safeInteger })],
  bye: [5, P.struct({})],
  rekeyOffer: [6, P.struct({ ephemeral: P.bytes(32), encapsulationKey: noneOr(KEM_KEY_BYTES) })],
  rekeyAnswer: [7, P.struct({ ephemeral: P.bytes(32), ciphertext: noneOr(KEM_CIPHERTEXT_BYTES) })],
  rekeyDone: [8, P.struct({})],
  formerNeighbours: [9, ignored],
  formerRelay: [10, ignored],
  certificateRequest: [11, P.struct({ member: memberId })],
  certificate: [12, P.struct({ member: memberId, certificate: P.optional(P.bool, certificateBytes) })],
})

export function encodeControl(control: Control): Uint8Array {
  return coder.encode(control)
}

/** `null` for bytes that are not exactly one control message. */
export function decodeControl(bytes: Uint8Array): Control | null {
  return tryDecode(coder, bytes)
}
