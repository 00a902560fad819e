import { concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { bounded, certificateBytes, tryDecode } from "../../wire/codec.ts"
import { INVITATION_KEYS_MAX } from "../shared/keyring.ts"
import { protocolCoder } from "../shared/protocol.ts"
import { KEM_CIPHERTEXT_BYTES } from "../shared/kem.ts"
import type { Opening, Role } from "./transcript.ts"

export const OPEN_KIND = 1
export const PROOF_KIND = 2
const MAJOR_BYTES = 2

const openCoder = P.struct({
  protocol: protocolCoder,
  role: P.map(P.U8, { initiator: 1, responder: 2 }) as P.CoderType<Role>,
  linkType: P.U8,
  ephemeral: P.bytes(32),
  nonce: P.bytes(32),
  encapsulationKey: P.bytes(null),
})
const macsCoder = P.array(bounded(P.U8, INVITATION_KEYS_MAX), P.bytes(32))
/** Sealed. */
export const proofCoder = P.struct({ certificate: certificateBytes, macs: macsCoder, signature: P.bytes(64) })

export type Open = Opening & { readonly role: Role; readonly linkType: number; readonly encapsulationKey: Uint8Array }

export function encodeOpen(open: Open): Uint8Array {
  return concatBytes(Uint8Array.of(OPEN_KIND), openCoder.encode(open))
}

/** Only the major version is decoded first: the format of the rest may depend on it. */
export function decodeOpen(bytes: Uint8Array, major: number): Open | "malformed" | "version" {
  const theirs = tryDecode(P.U16BE, bytes.subarray(1, 1 + MAJOR_BYTES))
  if (theirs !== null && theirs !== major) return "version"
  return tryDecode(openCoder, bytes.subarray(1)) ?? "malformed"
}

/** `ciphertext`: of the responder of a hybrid handshake, otherwise empty. */
export function encodeProof(ciphertext: Uint8Array, sealed: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(PROOF_KIND), ciphertext, sealed)
}

/** @param withCiphertext whether the proof is that of the responder of a hybrid handshake. */
export function splitProof(bytes: Uint8Array, withCiphertext: boolean): readonly [Uint8Array, Uint8Array] {
  const sealedAt = 1 + (withCiphertext ? KEM_CIPHERTEXT_BYTES : 0)
  return [bytes.subarray(1, sealedAt), bytes.subarray(sealedAt)]
}
