/** X.509 certificates with any field wrong, at fixed times, with fixed keys. */
import { AsnConvert, OctetString } from "@peculiar/asn1-schema"
import {
  type AlgorithmIdentifier,
  BasicConstraints,
  Extension,
  Extensions,
  ExtendedKeyUsage,
  KeyUsage,
  KeyUsageFlags,
  type Name,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from "@peculiar/asn1-x509"
import { commonName, toDer } from "../../../src/identity/certificates/x509.ts"
import { NOW_MS } from "../people.ts"
import { fixedBytes } from "../fixed-randomness.ts"
import { bitString, sequence } from "./der-encoder.ts"
import { ed25519Key, type IssuingKey } from "./issuing-keys.ts"

export const DAY_MS = 24 * 60 * 60 * 1000

function extension(extnID: string, critical: boolean, value: object | Uint8Array): Extension {
  const bytes = value instanceof Uint8Array ? value : toDer(value)
  return new Extension({ extnID, critical, extnValue: new OctetString(bytes) })
}
export const isAuthority = (cA: boolean): Extension => extension("2.5.29.19", true, new BasicConstraints({ cA }))
export const usage = (flags: number): Extension => extension("2.5.29.15", true, new KeyUsage(flags))
export const purpose = (id: string): Extension => extension("2.5.29.37", false, new ExtendedKeyUsage([id]))
export const unknownCritical = (): Extension => extension("1.2.3.4", true, Uint8Array.of(5, 0))

export const ISSUES = [isAuthority(true), usage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign)]
export const SIGNS = [isAuthority(false), usage(KeyUsageFlags.digitalSignature)]
export const ADAS_KEY = ed25519Key("identity of Ada")

export type Fields = {
  readonly issuer: Name
  readonly subject: Name
  /** The subject's key. */
  readonly spki: Uint8Array
  readonly extensions: readonly Extension[]
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** Outside of the signature's coverage, if not the one inside. */
  readonly outside: AlgorithmIdentifier
}

/** A certificate that this key signs. By default its subject is Ada. */
export function signedBy(key: IssuingKey, issuer: Name, fields: Partial<Fields> = {}): Uint8Array {
  const { notBeforeMs = NOW_MS - DAY_MS, notAfterMs = NOW_MS + DAY_MS, spki = ADAS_KEY.spki } = fields
  const serial = fixedBytes("serial of Ada's certificate", 16)
  serial[0] = 0x41
  const signed = toDer(
    new TBSCertificate({
      version: Version.v3,
      serialNumber: serial.slice().buffer,
      signature: key.algorithm,
      issuer: fields.issuer ?? issuer,
      validity: new Validity({ notBefore: new Date(notBeforeMs), notAfter: new Date(notAfterMs) }),
      subject: fields.subject ?? commonName("Ada"),
      subjectPublicKeyInfo: AsnConvert.parse(spki, SubjectPublicKeyInfo),
      extensions: new Extensions([...(fields.extensions ?? SIGNS)]),
    }),
  )
  return sequence(signed, toDer(fields.outside ?? key.algorithm), bitString(key.sign(signed)))
}

/** The certificate of an authority that signs with this key. */
export function rootOf(key: IssuingKey, subject: Name, fields: Partial<Fields> = {}): Uint8Array {
  const lasting = { notBeforeMs: NOW_MS - 10 * DAY_MS, notAfterMs: NOW_MS + 10 * DAY_MS }
  return signedBy(key, subject, { subject, spki: key.spki, extensions: ISSUES, ...lasting, ...fields })
}
