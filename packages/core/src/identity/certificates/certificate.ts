import { AsnConvert, OctetString } from "@peculiar/asn1-schema"
import {
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  KeyUsage,
  KeyUsageFlags,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from "@peculiar/asn1-x509"
import { type MemberId, memberIdFromBytes } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, randomBytes } from "@noble/hashes/utils.js"

import { bufferSource, domainSeparated, equalBytes } from "../../wire/index.ts"
import { ED25519_SPKI_PREFIX } from "./signatures.ts"
import { commonName, ED25519, readX509, toDer, type X509 } from "./x509.ts"
import { isSignedBy } from "./x509-signature.ts"

/** Bound on accepted certificates. One of the profile below with the longest name has under 1 KiB. */
export const CERTIFICATE_BYTES_MAX = 4096

const DAY_MS = 24 * 60 * 60 * 1000
/** Backdating of certificates. On another device with a slow clock a new certificate would not be valid yet. */
const BACKDATED_MS = DAY_MS
/** Long, because people verify the key and it never leaves its device. An early end would only cause alarms. */
const VALIDITY_MS = 20 * 365 * DAY_MS

const SERIAL_BYTES = 16

/** Fields in which two certificates of the profile differ. */
export type CertificateFields = {
  readonly name: string
  /** 16 bytes, the first from 1 to 127. */
  readonly serial: Uint8Array
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** Raw Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

export type ParsedCertificate = {
  readonly fields: CertificateFields
  /** Whether the certificate's own key signed it. Rejects where the engine cannot verify. */
  verifySelfSignature(): Promise<boolean>
}

/** SHA-256 of the certificate (DER): 32 bytes. */
export function fingerprintOf(der: Uint8Array): Uint8Array {
  return sha256(der)
}

/** SHA-256 of a key under its own domain: 32 bytes. */
export function keyPrintOf(publicKey: Uint8Array): Uint8Array {
  return sha256(domainSeparated("keymoot v1 member key", publicKey))
}

/**
 * Member id of a key's holder, independent of the certificate that an authority issued: 16 bytes of the key's print.
 */
export function memberIdOfKey(publicKey: Uint8Array): MemberId {
  return memberIdFromBytes(keyPrintOf(publicKey).subarray(0, 16))
}

/** Member id: the first 16 bytes of the fingerprint. */
export function memberIdOf(der: Uint8Array): MemberId {
  return memberIdFromBytes(fingerprintOf(der).subarray(0, 16))
}

/** Extensions of an end entity, whose key only signs. */
const EXTENSIONS = [
  critical("2.5.29.19", new BasicConstraints({ cA: false })),
  critical("2.5.29.15", new KeyUsage(KeyUsageFlags.digitalSignature)),
]

function critical(extnID: string, value: BasicConstraints | KeyUsage): Extension {
  return new Extension({ extnID, critical: true, extnValue: new OctetString(toDer(value)) })
}

function profile({ name, serial, notBeforeMs, notAfterMs, publicKey }: CertificateFields): TBSCertificate {
  return new TBSCertificate({
    version: Version.v3,
    serialNumber: serial.slice().buffer,
    signature: ED25519,
    issuer: commonName(name),
    validity: new Validity({ notBefore: new Date(notBeforeMs), notAfter: new Date(notAfterMs) }),
    subject: commonName(name),
    subjectPublicKeyInfo: AsnConvert.parse(concatBytes(ED25519_SPKI_PREFIX, publicKey), SubjectPublicKeyInfo),
    extensions: new Extensions(EXTENSIONS),
  })
}

function written(fields: CertificateFields, signature: Uint8Array): Uint8Array {
  const signatureValue = signature.slice().buffer
  return toDer(new Certificate({ tbsCertificate: profile(fields), signatureAlgorithm: ED25519, signatureValue }))
}

/**
 * Creates a self-signed certificate (DER) that binds the name, which must be valid, to the key.
 *
 * The serial is random, not only unique. The server sees fingerprints and public keys. With a predictable serial it
 * could find the name of a fingerprint by trying names.
 */
export async function createCertificate(name: string, keyPair: CryptoKeyPair, nowMs: number): Promise<Uint8Array> {
  const serial = randomBytes(SERIAL_BYTES)
  // A set first bit would make a negative number in DER. A zero first byte would be left out.
  serial[0] = (serial[0]! & 0x3f) | 0x40
  const wholeSecondMs = Math.floor(nowMs / 1000) * 1000
  const fields: CertificateFields = {
    name,
    serial,
    notBeforeMs: wholeSecondMs - BACKDATED_MS,
    notAfterMs: wholeSecondMs + VALIDITY_MS,
    publicKey: new Uint8Array(await crypto.subtle.exportKey("raw", keyPair.publicKey)),
  }
  const signed = bufferSource(toDer(profile(fields)))
  const signature = await crypto.subtle.sign("Ed25519", keyPair.privateKey, signed)
  return written(fields, new Uint8Array(signature))
}

/**
 * Returns the fields of a certificate of exactly this profile; `null` for anything else. It does not verify the
 * signature.
 *
 * X.509 parsers are lenient in different ways (BER lengths, unknown extensions, several names, versions). So the result
 * of a parser is not trusted: the certificate is encoded again from its fields and must be equal byte for byte.
 */
export async function parseCertificate(der: Uint8Array): Promise<ParsedCertificate | null> {
  if (der.length > CERTIFICATE_BYTES_MAX) return null
  try {
    const parsed = readX509(der)
    const fields = fieldsOf(parsed)
    if (fields === null || !equalBytes(written(fields, parsed.signature), der)) return null
    return { fields, verifySelfSignature: () => isSignedBy(parsed, { name: "Ed25519" }, parsed.subjectKey) }
  } catch {
    return null
  }
}

/** Returns the raw key, 32 bytes; null for a key of another kind. */
export function ed25519KeyOf({ subjectKey }: X509): Uint8Array | null {
  const spki = toDer(subjectKey)
  const isEd25519 = equalBytes(spki.subarray(0, ED25519_SPKI_PREFIX.length), ED25519_SPKI_PREFIX)
  return isEd25519 && spki.length === ED25519_SPKI_PREFIX.length + 32 ? spki.slice(ED25519_SPKI_PREFIX.length) : null
}

function fieldsOf(parsed: X509): CertificateFields | null {
  const { serial, subject, notBeforeMs, notAfterMs } = parsed
  const [[name], publicKey] = [subject.commonNames, ed25519KeyOf(parsed)]
  // Excludes a first byte that DER would leave out, and a negative number.
  const isSerial = serial.length === SERIAL_BYTES && serial[0]! > 0 && serial[0]! < 0x80
  if (name === undefined || publicKey === null || !isSerial) return null
  return { name, serial, notBeforeMs, notAfterMs, publicKey }
}
