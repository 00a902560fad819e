import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { certificateBytes, safeInteger } from "../../wire/codec.ts"
import { scoped, type Scope } from "../shared/scope.ts"
import { protocolCoder, type Protocol } from "../shared/protocol.ts"

export type Role = "initiator" | "responder"
/** A relayed link has no DTLS session of its own: its fingerprints are empty. */
export type LinkType = "webrtc" | "relay"

export type Party = {
  /** DER. */
  readonly certificate: Uint8Array
  readonly incarnation: number
  /**
   * SHA-256 of the party's DTLS certificate in hex, as *this* end sees it. A hijacked session has two different
   * transcripts.
   */
  readonly fingerprint: string
}
/** The contribution of a party to this one handshake. */
export type Opening = {
  /** Part of the transcript, so an attacker on the path cannot remove a feature. */
  readonly protocol: Protocol
  readonly ephemeral: Uint8Array
  readonly nonce: Uint8Array
}

export const linkTypeCode: Readonly<Record<LinkType, number>> = { webrtc: 1, relay: 2 }

const partyCoder = P.struct({
  certificate: certificateBytes,
  incarnation: safeInteger,
  fingerprint: P.bytes(P.U8),
  protocol: protocolCoder,
  ephemeral: P.bytes(32),
  nonce: P.bytes(32),
})
const transcriptCoder = P.struct({
  linkType: P.U8,
  attempt: safeInteger,
  initiator: partyCoder,
  responder: partyCoder,
  encapsulationKey: P.bytes(null),
})

export type Transcript = {
  readonly scope: Scope
  readonly linkType: LinkType
  readonly attempt: number
  readonly initiator: Party & Opening
  readonly responder: Party & Opening
  /** The initiator's. Empty unless the handshake is hybrid. */
  readonly encapsulationKey: Uint8Array
}

/** Hash of both OPENs and of what both ends know. */
export function transcriptHash(transcript: Transcript): Uint8Array {
  const { scope, linkType, attempt, initiator, responder, encapsulationKey } = transcript
  const withFingerprintBytes = (party: Party & Opening) => ({ ...party, fingerprint: hexToBytes(party.fingerprint) })
  const fields = {
    linkType: linkTypeCode[linkType],
    attempt,
    initiator: withFingerprintBytes(initiator),
    responder: withFingerprintBytes(responder),
    encapsulationKey,
  }
  return sha256(scoped("association transcript", scope, transcriptCoder.encode(fields)))
}

/** Hash of a hybrid handshake up to the responder's ciphertext. `hash`: of both OPENs. */
export function hybridTranscriptHash(scope: Scope, hash: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  return sha256(scoped("association hybrid transcript", scope, hash, ciphertext))
}

export const ASSOCIATION_ID_BYTES = 8

/** 32 bytes each, for what that role sends, by reliability. */
export type HopKeys = {
  readonly reliable: Readonly<Record<Role, Uint8Array>>
  readonly unreliable: Readonly<Record<Role, Uint8Array>>
  readonly associationId: Uint8Array
}

export type AssociationKeys = {
  readonly proof: Readonly<Record<Role, Uint8Array>>
  readonly hop: HopKeys
}

/**
 * `HKDF(secret, transcript)`: two keys for the proofs, four for the hops, each for what that role sends. A hybrid
 * secret is the concatenation of ML-KEM's and X25519's, 32 bytes each. Together with the whole transcript as salt this
 * is the combiner of TLS 1.3 (draft-ietf-tls-hybrid-design, section 3.3).
 */
export function associationKeys(secret: Uint8Array, hash: Uint8Array): AssociationKeys {
  const bytes = hkdf(sha256, secret, hash, utf8ToBytes("keymoot/1 association keys"), 6 * 32 + ASSOCIATION_ID_BYTES)
  const proof = { initiator: bytes.slice(0, 32), responder: bytes.slice(32, 64) }
  const keys = { proof, hop: hopKeys(bytes.subarray(64)) }
  bytes.fill(0)
  return keys
}

/**
 * The first 32 of these bytes, from X25519's secret alone: the initiator's PROOF is sent before the ciphertext comes.
 */
export function initiatorProofKey(classicalSecret: Uint8Array, hash: Uint8Array): Uint8Array {
  return hkdf(sha256, classicalSecret, hash, utf8ToBytes("keymoot/1 association keys"), 32)
}

/** Public keys of a rekey. Key and ciphertext are empty unless it is hybrid. */
export type RekeyTranscript = {
  readonly ephemerals: Readonly<Record<Role, Uint8Array>>
  readonly encapsulationKey: Uint8Array
  readonly ciphertext: Uint8Array
}

/**
 * The next keys of an association, from a fresh key exchange under the present keys. The present association id is an
 * input, so keys depend on the whole history of the association, including its first transcript.
 */
export function nextHopKeys(secret: Uint8Array, associationId: Uint8Array, transcript: RekeyTranscript): HopKeys {
  const { ephemerals, encapsulationKey, ciphertext } = transcript
  const salt = sha256(
    concatBytes(associationId, ephemerals.initiator, ephemerals.responder, encapsulationKey, ciphertext),
  )
  const bytes = hkdf(sha256, secret, salt, utf8ToBytes("keymoot/1 hop rekey"), 4 * 32 + ASSOCIATION_ID_BYTES)
  const keys = hopKeys(bytes)
  bytes.fill(0)
  return keys
}

function hopKeys(bytes: Uint8Array): HopKeys {
  const key = (index: number): Uint8Array => bytes.slice(index * 32, index * 32 + 32)
  return {
    reliable: { initiator: key(0), responder: key(1) },
    unreliable: { initiator: key(2), responder: key(3) },
    associationId: bytes.slice(4 * 32, 4 * 32 + ASSOCIATION_ID_BYTES),
  }
}

export function otherRole(role: Role): Role {
  return role === "initiator" ? "responder" : "initiator"
}
