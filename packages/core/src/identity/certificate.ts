import "./reflect-polyfill.ts" // before the library
import {
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name as DistinguishedName,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509"
import { type MemberId, memberIdFromBytes } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes, randomBytes } from "@noble/hashes/utils.js"

import { bufferSource, domainSeparated, equalBytes } from "../wire/index.ts"

/** A certificate of the profile below with the longest name has under 1 KiB; what is larger is not looked at. */
export const CERTIFICATE_BYTES_MAX = 4096

const DAY_MS = 24 * 60 * 60 * 1000
/** Other people's clocks may be behind: a certificate that is not valid yet would shut its owner out. */
const BACKDATED_MS = DAY_MS
/** Long, because the key is what people verify and it never leaves its device: an early end would only make alarms. */
const VALIDITY_MS = 20 * 365 * DAY_MS

const SERIAL_BYTES = 16
/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410): this, then the 32 bytes. */
const ED25519_SPKI_PREFIX = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00)

/** Everything in which two certificates of our profile differ. */
export type CertificateFields = {
  readonly name: string
  /** 16 bytes, the first bit 0. */
  readonly serial: Uint8Array
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** Raw Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

export type ParsedCertificate = {
  readonly fields: CertificateFields
  /** Whether the key in it signed it; rejects where the engine cannot tell. */
  verifySelfSignature(): Promise<boolean>
}

/** SHA-256 of the certificate (DER): 32 bytes. */
export function fingerprintOf(der: Uint8Array): Uint8Array {
  return sha256(der)
}

/** SHA-256 over a key, under a domain of its own: 32 bytes. */
export function keyPrintOf(publicKey: Uint8Array): Uint8Array {
  return sha256(domainSeparated("keymoot v1 member key", publicKey))
}

/** Of whoever holds this key, whatever certificate an authority has issued on it: 16 bytes of the key's print. */
export function memberIdOfKey(publicKey: Uint8Array): MemberId {
  return memberIdFromBytes(keyPrintOf(publicKey).subarray(0, 16))
}

/** First 16 bytes of the fingerprint. */
export function memberIdOf(der: Uint8Array): MemberId {
  return memberIdFromBytes(fingerprintOf(der).subarray(0, 16))
}

/** v3, critical: an end entity, whose key signs and does nothing else. */
function extensions(): Extension[] {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
  ]
}

function profile(fields: CertificateFields) {
  // As explicit UTF-8: the library would read a name beginning with "#" as hex, and quotes as its own.
  const name = new DistinguishedName([{ CN: [{ utf8String: fields.name }] }])
  return {
    subject: name,
    issuer: name,
    serialNumber: bytesToHex(fields.serial),
    notBefore: new Date(fields.notBeforeMs),
    notAfter: new Date(fields.notAfterMs),
    signingAlgorithm: { name: "Ed25519" },
    extensions: extensions(),
  }
}

/**
 * A self-signed certificate (DER) that binds the name, which must keep the rules, to the key.
 *
 * The serial is random, and not only unique: the server sees fingerprints and public keys, and could otherwise find a name
 * behind a fingerprint by trying names.
 */
export async function createCertificate(name: string, keyPair: CryptoKeyPair, nowMs: number): Promise<Uint8Array> {
  const serial = randomBytes(SERIAL_BYTES)
  // A set first bit would be a negative number in DER; a zero first byte would be left out.
  serial[0] = (serial[0]! & 0x3f) | 0x40
  const wholeSecondMs = Math.floor(nowMs / 1000) * 1000
  const fields: CertificateFields = {
    name,
    serial,
    notBeforeMs: wholeSecondMs - BACKDATED_MS,
    notAfterMs: wholeSecondMs + VALIDITY_MS,
    publicKey: new Uint8Array(await crypto.subtle.exportKey("raw", keyPair.publicKey)),
  }
  const params = { ...profile(fields), publicKey: keyPair.publicKey, signingKey: keyPair.privateKey }
  const certificate = await X509CertificateGenerator.create(params, crypto)
  return new Uint8Array(certificate.rawData)
}

/**
 * The fields of a certificate of exactly our profile; `null` for anything else. Whether its signature is right is asked apart.
 *
 * X.509 parsers are lenient, and each differently (BER lengths, unknown extensions, several names, versions). So nothing
 * is searched in what was parsed: the certificate is written again from its fields, and must come out byte for byte the same.
 */
export async function parseCertificate(der: Uint8Array): Promise<ParsedCertificate | null> {
  if (der.length > CERTIFICATE_BYTES_MAX) return null
  try {
    const parsed = new X509Certificate(bufferSource(der))
    const fields = fieldsOf(parsed)
    if (fields === null) return null
    const spki = bufferSource(concatBytes(ED25519_SPKI_PREFIX, fields.publicKey))
    const params = { ...profile(fields), publicKey: spki, signature: parsed.signature }
    const written = await X509CertificateGenerator.create(params, crypto)
    if (!equalBytes(new Uint8Array(written.rawData), der)) return null
    return { fields, verifySelfSignature: () => written.verify({ signatureOnly: true }, crypto) }
  } catch {
    return null
  }
}

/** Raw, 32 bytes; null for a key of another kind. */
export function ed25519KeyOf({ publicKey }: X509Certificate): Uint8Array | null {
  const spki = new Uint8Array(publicKey.rawData)
  const isEd25519 = equalBytes(spki.subarray(0, ED25519_SPKI_PREFIX.length), ED25519_SPKI_PREFIX)
  return isEd25519 && spki.length === ED25519_SPKI_PREFIX.length + 32 ? spki.slice(ED25519_SPKI_PREFIX.length) : null
}

function fieldsOf(parsed: X509Certificate): CertificateFields | null {
  const [name] = parsed.subjectName.getField("CN")
  const spki = new Uint8Array(parsed.publicKey.rawData)
  const serial = hexToBytes(parsed.serialNumber)
  if (name === undefined || serial.length !== SERIAL_BYTES) return null
  return {
    name,
    serial,
    notBeforeMs: parsed.notBefore.getTime(),
    notAfterMs: parsed.notAfter.getTime(),
    publicKey: spki.slice(ED25519_SPKI_PREFIX.length),
  }
}
