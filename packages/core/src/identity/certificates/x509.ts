/**
 * X.509 certificates and certification requests (RFC 5280, RFC 2986) in DER, to and from objects of the ASN.1 library.
 */
import { AsnConvert } from "@peculiar/asn1-schema"
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  Name,
  RelativeDistinguishedName,
  type SubjectPublicKeyInfo,
} from "@peculiar/asn1-x509"

const [COMMON_NAME, ORGANISATION] = ["2.5.4.3", "2.5.4.10"]
/** RFC 8410: identifier of the algorithm, without parameters. */
export const ED25519 = new AlgorithmIdentifier({ algorithm: "1.3.101.112" })

export type DistinguishedName = {
  /** Compare names by these bytes. A comparison by text has let one authority pass for another. */
  readonly der: Uint8Array
  readonly commonNames: readonly string[]
  readonly organisations: readonly string[]
}

export type X509Extension = { readonly type: string; readonly critical: boolean; readonly value: Uint8Array }

export type X509 = {
  /** Octets of the INTEGER. */
  readonly serial: Uint8Array
  readonly issuer: DistinguishedName
  readonly subject: DistinguishedName
  readonly notBeforeMs: number
  readonly notAfterMs: number
  readonly subjectKey: SubjectPublicKeyInfo
  readonly extensions: readonly X509Extension[]
  /** Bytes covered by the signature (TBSCertificate). */
  readonly signed: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
}

export function toDer(value: unknown): Uint8Array {
  return new Uint8Array(AsnConvert.serialize(value))
}

/** Also accepts BER, so the caller must check the encoding. @throws if `bytes` is no certificate */
export function readX509(bytes: Uint8Array): X509 {
  // Copied, because the library's objects refer to it.
  const { tbsCertificate, tbsCertificateRaw, ...outside } = AsnConvert.parse(bytes.slice(), Certificate)
  if (!tbsCertificateRaw) throw new Error("the library did not keep the signed bytes")
  const { serialNumber, issuer, subject, validity, subjectPublicKeyInfo, extensions = [] } = tbsCertificate
  return {
    serial: new Uint8Array(serialNumber),
    issuer: readName(issuer),
    subject: readName(subject),
    notBeforeMs: validity.notBefore.getTime().getTime(),
    notAfterMs: validity.notAfter.getTime().getTime(),
    subjectKey: subjectPublicKeyInfo,
    extensions: [...extensions].map(({ extnID, critical, extnValue }) => {
      return { type: extnID, critical, value: new Uint8Array(extnValue.buffer) }
    }),
    signed: new Uint8Array(tbsCertificateRaw),
    signatureAlgorithm: outside.signatureAlgorithm,
    signature: new Uint8Array(outside.signatureValue),
  }
}

export function commonName(utf8String: string): Name {
  const value = new AttributeValue({ utf8String })
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])])
}

/** @throws for a value of no string type */
function readName(name: Name): DistinguishedName {
  const attributes = [...name].flatMap((relative) => [...relative])
  const valuesOf = (wanted: string): string[] =>
    attributes.filter(({ type }) => type === wanted).map(({ value }) => value.toString())
  return { der: toDer(name), commonNames: valuesOf(COMMON_NAME!), organisations: valuesOf(ORGANISATION!) }
}
