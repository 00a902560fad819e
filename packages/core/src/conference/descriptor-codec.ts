import { CONFERENCE_MEMBERS_MAX, DESCRIPTOR_BYTES_MAX } from "@keymoot/transport/signaling-protocol"
import { bytesToHex } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import {
  type Authenticity,
  type Cipher,
  type HistoryPolicy,
  type KeyAgreementName,
  type OwnModule,
  type PostQuantum,
  isOwnModule,
} from "../api/index.ts"
import { boundedBytes, boundedList, domainSeparated, oneOf, timestampMs, versionByte } from "../wire/index.ts"
import { SEAL_OVERHEAD_BYTES } from "../ciphers/sealing.ts"

export const ROOM_KEY_BYTES = 32
export const DESCRIPTOR_SALT_BYTES = 16
/** Bound on hosts. An earlier one in the list has a higher rank. */
const HOSTS_MAX = 16
export const TITLE_CHARACTERS_MAX = 200
/**
 * Padding of the blob's plaintext. The longest title and a certificate with the longest name fit into one step, so
 * without a roster the size tells the server nothing. With a roster it tells roughly the total length of all names; the
 * fingerprints show their number anyway.
 */
export const BLOB_STEP_BYTES = 2048
/** Keeps the descriptor below the server's bound: 128 people with names of up to 78 bytes, 70 with any names. */
export const BLOB_BYTES_MAX = 26 * BLOB_STEP_BYTES

/**
 * Content that the creator signs and the server stores. Names, title and certificate are in the blob, which the server
 * cannot decrypt.
 */
export type DescriptorAdmission =
  /** With `approval` a host must admit, too. */
  | { readonly policy: "link" | "approval" }
  /**
   * SHA-256 of the certificates of all that may enter, the creator included, ascending; no two share the first 16
   * bytes.
   */
  | { readonly policy: "roster"; readonly fingerprints: Uint8Array[] }
  /** The authority's certificate is in the blob, so that the server does not learn whose people meet. */
  | { readonly policy: "ca" }

export type DescriptorBody = {
  /** Random. With it a secret that its creator used for two descriptors yields two keys. */
  readonly salt: Uint8Array
  /** Raw Ed25519, 32 bytes. */
  readonly creatorPublicKey: Uint8Array
  /** Start of the conference. Nobody enters after `endsAtMs`. */
  readonly startsAtMs: number
  readonly endsAtMs: number
  /** Time after which the server may delete it; not before `endsAtMs`. */
  readonly expiresAtMs: number
  readonly keyAgreement: KeyAgreementName | OwnModule
  readonly cipher: Cipher | OwnModule
  readonly postQuantum: PostQuantum
  readonly authenticity: Authenticity
  readonly admission: DescriptorAdmission
  readonly history: HistoryPolicy
  /** SHA-256 of the hosts' certificates in the order of their ranks; no two equal. */
  readonly hosts: Uint8Array[]
  /** Generation of the invitation whose secret encrypts the room key here. Removals start new ones. */
  readonly generation: number
  readonly sealedRoomKey: Uint8Array
  readonly sealedBlob: Uint8Array
}

export type SignedDescriptor = { readonly body: Uint8Array; readonly signature: Uint8Array }
/**
 * `certificates`: of the others on the roster in the order of their fingerprints, or of the authority; otherwise empty.
 */
export type DescriptorBlob = {
  readonly title: string
  readonly creatorCertificate: Uint8Array
  readonly certificates: Uint8Array[]
}

const DESCRIPTOR_VERSION = 4

const admissionTag = P.mappedTag(P.U8, {
  link: [1, P.bytes(0)],
  roster: [2, P.struct({ fingerprints: boundedList(P.bytes(32), CONFERENCE_MEMBERS_MAX) })],
  ca: [3, P.bytes(0)],
  approval: [4, P.bytes(0)],
})
const admission: P.CoderType<DescriptorAdmission> = P.wrap({
  encodeStream: (writer, value: DescriptorAdmission) =>
    admissionTag.encodeStream(
      writer,
      value.policy === "roster" ? { TAG: "roster", data: value } : { TAG: value.policy, data: P.EMPTY },
    ),
  decodeStream: (reader) => {
    const { TAG: policy, data } = admissionTag.decodeStream(reader)
    return policy === "roster" ? { policy, fingerprints: data.fingerprints } : { policy }
  },
})

const bodyFields: P.CoderType<DescriptorBody & { version?: undefined }> = P.struct({
  version: versionByte(DESCRIPTOR_VERSION),
  salt: P.bytes(DESCRIPTOR_SALT_BYTES),
  creatorPublicKey: P.bytes(32),
  startsAtMs: timestampMs,
  endsAtMs: timestampMs,
  expiresAtMs: timestampMs,
  keyAgreement: oneOfOrOwn(["tgdh", "str", "bd", "gdh", "ckd", "majority"]),
  cipher: oneOfOrOwn(["aes-256-gcm", "chacha20-poly1305", "aes-256-gcm-siv"]),
  postQuantum: oneOf(["off", "hybrid"]),
  authenticity: oneOf(["signature", "group"]),
  admission,
  history: oneOf(["everything", "from-join"]),
  hosts: boundedList(P.bytes(32), HOSTS_MAX),
  generation: P.U32BE,
  sealedRoomKey: P.bytes(ROOM_KEY_BYTES + SEAL_OVERHEAD_BYTES),
  sealedBlob: boundedBytes(P.U16BE, BLOB_BYTES_MAX + SEAL_OVERHEAD_BYTES),
})

export const descriptorBody: P.CoderType<DescriptorBody> = P.validate(bodyFields, (body) => {
  const distinctHosts = new Set(body.hosts.map((host) => host.join()))
  if (body.hosts.length === 0 || distinctHosts.size !== body.hosts.length)
    throw new RangeError("the list of hosts is empty or has duplicates")
  if (!(body.startsAtMs < body.endsAtMs && body.endsAtMs <= body.expiresAtMs))
    throw new RangeError("times out of order")
  if (body.generation === 0) throw new RangeError("generations count from 1")
  if ((body.sealedBlob.length - SEAL_OVERHEAD_BYTES) % BLOB_STEP_BYTES !== 0)
    throw new RangeError("the sealed blob has no valid padded length")
  if (body.admission.policy === "roster" && !isAscending(body.admission.fingerprints))
    throw new RangeError("the roster is not in ascending order or has duplicates")
  if (body.admission.policy !== "roster" && body.keyAgreement === "majority")
    throw new RangeError("majority needs a roster")
  if (body.authenticity === "group" && body.keyAgreement === "majority")
    throw new RangeError("majority needs signatures: data flow before all members have the group key")
  return body
})

/** Compares the first 16 bytes, which are the member ids. */
function isAscending(fingerprints: readonly Uint8Array[]): boolean {
  const ids = fingerprints.map((fingerprint) => bytesToHex(fingerprint.subarray(0, 16)))
  return ids.length > 1 && ids.every((id, i) => i === 0 || ids[i - 1]! < id)
}

/** The body stays encoded, because the signature covers these bytes. */
export const signedDescriptor: P.CoderType<SignedDescriptor> = P.struct({
  body: boundedBytes(P.U16BE, DESCRIPTOR_BYTES_MAX - 66),
  signature: P.bytes(64),
})

export const descriptorBlob: P.CoderType<DescriptorBlob & { padding: Uint8Array }> = P.struct({
  title: P.string(P.U16BE),
  creatorCertificate: P.bytes(P.U16BE),
  certificates: boundedList(P.bytes(P.U16BE), CONFERENCE_MEMBERS_MAX),
  padding: P.validate(P.bytes(null), (padding) => {
    if (padding.some((byte) => byte !== 0)) throw new RangeError("the padding is not zeros")
    return padding
  }),
})

/** Bytes that the creator signs. */
export function descriptorSigningBytes(body: Uint8Array): Uint8Array {
  return domainSeparated("keymoot v1 descriptor", body)
}

/** A title may be empty. It is counted in UTF-16 units; the blob's length bounds its bytes. */
export function isValidTitle(title: string): boolean {
  return title.length <= TITLE_CHARACTERS_MAX && !/\p{Cc}|\p{Cs}/u.test(title)
}

/** Code of an embedder's own module. The built-in ones count from 1. */
const OWN_CODE = 255
const PREFIX = "own:"
const ownName = boundedBytes(P.U8, 60)

/** The code of a built-in module; or `OWN_CODE`, then a length and the name without its prefix. */
export function oneOfOrOwn<Name extends string>(names: readonly Name[]): P.CoderType<Name | OwnModule> {
  const builtIn = oneOf(names)
  return P.wrap({
    encodeStream: (writer, name: Name | OwnModule) => {
      if (!isOwnModule(name)) return builtIn.encodeStream(writer, name)
      P.U8.encodeStream(writer, OWN_CODE)
      ownName.encodeStream(writer, new TextEncoder().encode(name.slice(PREFIX.length)))
    },
    decodeStream: (reader): Name | OwnModule => {
      if (reader.byte(true) !== OWN_CODE) return builtIn.decodeStream(reader)
      reader.byte()
      const name = PREFIX + new TextDecoder("utf-8", { ignoreBOM: true }).decode(ownName.decodeStream(reader))
      if (!isOwnModule(name)) throw new RangeError("no name of a module")
      return name
    },
  })
}
