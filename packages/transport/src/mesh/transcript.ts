import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { ASSOCIATION_ID_BYTES } from "./hop.ts"
import { certificateBytes, safeInteger } from "./codec.ts"
import { scoped, type Scope } from "./scope.ts"

export type Role = "initiator" | "responder"
/** A relay has no DTLS session of its own; its fingerprints are empty. */
export type LinkType = "webrtc" | "relay"

export type Party = {
  /** DER. */
  readonly certificate: Uint8Array
  readonly incarnation: number
  /** SHA-256 of its DTLS certificate in hex, as *this* end sees it: a session that was hijacked gives two transcripts. */
  readonly fingerprint: string
}
/** What a party contributes to this one handshake. */
export type Opening = { readonly ephemeral: Uint8Array; readonly nonce: Uint8Array }

export const PROTOCOL_VERSION = 1
export const linkTypeCode: Readonly<Record<LinkType, number>> = { webrtc: 1, relay: 2 }

const partyCoder = P.struct({
  certificate: certificateBytes,
  incarnation: safeInteger,
  fingerprint: P.bytes(P.U8),
  ephemeral: P.bytes(32),
  nonce: P.bytes(32),
})
const transcriptCoder = P.struct({
  version: P.U8,
  linkType: P.U8,
  attempt: safeInteger,
  initiator: partyCoder,
  responder: partyCoder,
})

export type Transcript = {
  readonly scope: Scope
  readonly linkType: LinkType
  readonly attempt: number
  readonly initiator: Party & Opening
  readonly responder: Party & Opening
}

export function transcriptHash({ scope, linkType, attempt, initiator, responder }: Transcript): Uint8Array {
  const withFingerprintBytes = (party: Party & Opening) => ({ ...party, fingerprint: hexToBytes(party.fingerprint) })
  const fields = {
    version: PROTOCOL_VERSION,
    linkType: linkTypeCode[linkType],
    attempt,
    initiator: withFingerprintBytes(initiator),
    responder: withFingerprintBytes(responder),
  }
  return sha256(scoped("association transcript", scope, transcriptCoder.encode(fields)))
}

export type AssociationKeys = {
  readonly associationId: Uint8Array
  readonly proof: Readonly<Record<Role, Uint8Array>>
  readonly hop: Readonly<Record<Role, Uint8Array>>
}

/** `HKDF(DH, transcript)`: two keys for the proofs, two for the hops, each for what that role sends. */
export function associationKeys(shared: Uint8Array, hash: Uint8Array): AssociationKeys {
  const bytes = hkdf(sha256, shared, hash, utf8ToBytes("keymoot/1 association keys"), 4 * 32 + ASSOCIATION_ID_BYTES)
  const key = (index: number): Uint8Array => bytes.slice(index * 32, index * 32 + 32)
  const keys: AssociationKeys = {
    proof: { initiator: key(0), responder: key(1) },
    hop: { initiator: key(2), responder: key(3) },
    associationId: bytes.slice(4 * 32),
  }
  bytes.fill(0)
  return keys
}
