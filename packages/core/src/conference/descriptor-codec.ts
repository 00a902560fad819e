import { sha256 } from "@noble/hashes/sha2.js"
import * as P from "micro-packed"

import type { HistoryPolicy, KeyAgreementName } from "../api.ts"
import { boundedBytes, boundedList, domainSeparated, hexId, oneOf, timestampMs, versionByte } from "../wire/index.ts"
import { CONFERENCE_ID_BYTES } from "./invitation.ts"
import { SEAL_OVERHEAD_BYTES } from "./sealing.ts"

export const ROOM_KEY_BYTES = 32
/** Each may rule the conference, the earlier in the list the higher. */
const HOSTS_MAX = 16
export const TITLE_CHARACTERS_MAX = 200
/**
 * The blob's plaintext always has this length: the longest title and a certificate with the longest name fit, so its size
 * tells the server nothing.
 */
export const BLOB_BYTES = 2048

/** What the creator signs and the server stores. Names, title and certificate are in the blob, where the server cannot read them. */
export type DescriptorBody = {
  /** Hex, 32 digits. */
  readonly conferenceId: string
  /** Raw Ed25519, 32 bytes. */
  readonly creatorPublicKey: Uint8Array
  /** The conference is to be between these; nobody enters after `endsAtMs`. */
  readonly startsAtMs: number
  readonly endsAtMs: number
  /** From here on the server may forget it; not before `endsAtMs`. */
  readonly expiresAtMs: number
  readonly keyAgreement: KeyAgreementName
  readonly authenticity: "signature"
  readonly admission: "link"
  readonly history: HistoryPolicy
  /** SHA-256 of the hosts' certificates, in the order of their precedence; no two equal. */
  readonly hosts: Uint8Array[]
  /** Of the invitation under whose secret the room key is sealed here; removals will start new ones. */
  readonly generation: number
  readonly sealedRoomKey: Uint8Array
  readonly sealedBlob: Uint8Array
}

export type SignedDescriptor = { readonly body: Uint8Array; readonly signature: Uint8Array }
export type DescriptorBlob = { readonly title: string; readonly creatorCertificate: Uint8Array }

const DESCRIPTOR_VERSION = 1

const bodyFields: P.CoderType<DescriptorBody & { version?: undefined }> = P.struct({
  version: versionByte(DESCRIPTOR_VERSION),
  conferenceId: hexId(CONFERENCE_ID_BYTES),
  creatorPublicKey: P.bytes(32),
  startsAtMs: timestampMs,
  endsAtMs: timestampMs,
  expiresAtMs: timestampMs,
  keyAgreement: oneOf(["tgdh", "str", "bd", "gdh", "ckd"]),
  authenticity: oneOf(["signature"]),
  admission: oneOf(["link"]),
  history: oneOf(["everything", "from-join"]),
  hosts: boundedList(P.bytes(32), HOSTS_MAX),
  generation: P.U32BE,
  sealedRoomKey: P.bytes(ROOM_KEY_BYTES + SEAL_OVERHEAD_BYTES),
  sealedBlob: P.bytes(BLOB_BYTES + SEAL_OVERHEAD_BYTES),
})

export const descriptorBody: P.CoderType<DescriptorBody> = P.validate(bodyFields, (body) => {
  const distinctHosts = new Set(body.hosts.map((host) => host.join()))
  if (body.hosts.length === 0 || distinctHosts.size !== body.hosts.length)
    throw new RangeError("hosts must be there, and once")
  if (!(body.startsAtMs < body.endsAtMs && body.endsAtMs <= body.expiresAtMs))
    throw new RangeError("times out of order")
  if (body.generation === 0) throw new RangeError("generations count from 1")
  return body
})

/** The body stays bytes, since these are what the signature covers. */
export const signedDescriptor: P.CoderType<SignedDescriptor> = P.struct({
  body: boundedBytes(P.U16BE, 4096),
  signature: P.bytes(64),
})

export const descriptorBlob: P.CoderType<DescriptorBlob & { padding: Uint8Array }> = P.struct({
  title: P.string(P.U16BE),
  creatorCertificate: P.bytes(P.U16BE),
  padding: P.validate(P.bytes(null), (padding) => {
    if (padding.some((byte) => byte !== 0)) throw new RangeError("padding is zeros")
    return padding
  }),
})

/** What a link pins: SHA-256 over all of the descriptor, its signature included. 32 bytes. */
export function descriptorHashOf(descriptor: Uint8Array): Uint8Array {
  return sha256(domainSeparated("keymoot v1 descriptor hash", descriptor))
}

/** What the creator signs. */
export function descriptorSigningBytes(body: Uint8Array): Uint8Array {
  return domainSeparated("keymoot v1 descriptor", body)
}
