/** X.509 certificates, and the verdict that each member must come to. */
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
} from "@peculiar/asn1-x509"
import { numberToBytesBE } from "@noble/curves/utils.js"
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import type { CertificateRefusal } from "../../../src/identity/certificates/authority.ts"
import { commonName } from "../../../src/identity/certificates/x509.ts"
import { NOW_MS, type Person } from "../people.ts"
import type { VectorFile } from "../vector-file.ts"
import {
  ADAS_KEY,
  DAY_MS,
  type Fields,
  isAuthority,
  ISSUES,
  purpose,
  rootOf,
  signedBy,
  unknownCritical,
  usage,
} from "./builder.ts"
import { bitString, integer, paddedInteger, sequence, unsignedInteger, value, withLongLength } from "./der-encoder.ts"
import { derOf, ecdsaKey, ed25519Key, type IssuingKey, rsaKey, type SignatureForm } from "./issuing-keys.ts"

type Verdict = "accepted" | CertificateRefusal
/** `as`: what the certificate is checked as. `authority`: null unless it is checked as issued by one. */
export type CertificateCase = {
  readonly name: string
  readonly as: "authority" | "issued" | "self-signed"
  readonly authority: Uint8Array | null
  readonly certificate: Uint8Array
  readonly atMs: number
  /** A self-signed one has no reason: "refused". */
  readonly verdict: Verdict | "refused"
}

const ACME = commonName("Acme Ltd")
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const NULL = hexToBytes("0500")
const KEYS: Readonly<Record<string, IssuingKey>> = {
  Ed25519: ed25519Key("authority"),
  "ECDSA on P-256": ecdsaKey("P-256"),
  "ECDSA on P-384": ecdsaKey("P-384"),
  "ECDSA on P-521": ecdsaKey("P-521"),
  RSA: rsaKey(),
}
const [ED25519_KEY, P256_KEY] = [KEYS["Ed25519"]!, KEYS["ECDSA on P-256"]!]
const ED25519_ROOT = rootOf(ED25519_KEY, ACME)
const P256_ROOT = rootOf(P256_KEY, ACME)

function issued(
  name: string,
  verdict: Verdict,
  fields: Partial<Fields> = {},
  key = ED25519_KEY,
  atMs = NOW_MS,
): CertificateCase {
  const certificate = signedBy(key, ACME, fields)
  return { name, as: "issued", authority: ED25519_ROOT, certificate, atMs, verdict }
}

function root(name: string, verdict: Verdict, certificate: Uint8Array, atMs = NOW_MS): CertificateCase {
  return { name, as: "authority", authority: null, certificate, atMs, verdict }
}

/** Forms of an ECDSA signature. The numbers are those of a valid one, except where the name says something else. */
const FORMS: readonly (readonly [name: string, form: SignatureForm, verdict?: Verdict])[] = [
  ["in DER", derOf, "accepted"],
  ["with n - s in place of s", ([r, s]) => derOf([r, P256_ORDER - s]), "accepted"],
  ["with a needless zero byte in r", ([r, s]) => sequence(paddedInteger(r), integer(s))],
  ["with a needless zero byte in s", ([r, s]) => sequence(integer(r), paddedInteger(s))],
  ["with a byte behind it", (both) => concatBytes(derOf(both), Uint8Array.of(0))],
  ["with a value behind s", ([r, s]) => sequence(integer(r), integer(s), NULL)],
  ["with a byte behind s", ([r, s]) => sequence(integer(r), integer(s), Uint8Array.of(0))],
  ["with a third INTEGER", ([r, s]) => sequence(integer(r), integer(s), integer(1n))],
  ["without s", ([r]) => sequence(integer(r))],
  ["with a long length", (both) => withLongLength(derOf(both))],
  ["with a long length of r", ([r, s]) => sequence(withLongLength(integer(r)), integer(s))],
  ["with a long length of s", ([r, s]) => sequence(integer(r), withLongLength(integer(s)))],
  ["of indefinite length", ([r, s]) => concatBytes(hexToBytes("3080"), integer(r), integer(s), hexToBytes("0000"))],
  ["cut short by a byte", (both) => derOf(both).slice(0, -1)],
  ["as a SET", ([r, s]) => value(0x31, integer(r), integer(s))],
  ["with an OCTET STRING as r", ([r, s]) => sequence(value(4, integer(r).subarray(2)), integer(s))],
  ["with negative numbers", ([r, s]) => sequence(unsignedInteger(r), unsignedInteger(s))],
  ["with r zero", ([, s]) => derOf([0n, s])],
  ["with s zero", ([r]) => derOf([r, 0n])],
  ["with an empty r", ([, s]) => sequence(value(2), integer(s))],
  ["with r + n in place of r", ([r, s]) => derOf([r + P256_ORDER, s])],
  ["with s + n in place of s", ([r, s]) => derOf([r, s + P256_ORDER])],
  ["with s the order", ([r]) => derOf([r, P256_ORDER])],
  ["with r the order", ([, s]) => derOf([P256_ORDER, s])],
  ["as two halves of fixed length", (both) => concatBytes(...both.map((half) => numberToBytesBE(half, 32)))],
  ["of no bytes", () => new Uint8Array(0)],
]

const ecdsaForms = FORMS.map(([form, encode, verdict = "bad-signature"]): CertificateCase => {
  const certificate = signedBy(ecdsaKey("P-256", { form: encode }), ACME)
  return { name: `an ECDSA signature ${form}`, as: "issued", authority: P256_ROOT, certificate, atMs: NOW_MS, verdict }
})

const byAlgorithm = Object.entries(KEYS).flatMap(([name, key]) => {
  const authority = rootOf(key, ACME)
  const common = { as: "issued", authority, atMs: NOW_MS } as const
  const certificate = signedBy(key, ACME)
  return [
    root(`an authority with ${name}`, "accepted", authority),
    root(`an authority with ${name}, altered`, "bad-signature", withLastBitFlipped(authority)),
    { ...common, name: `issued with ${name}`, certificate, verdict: "accepted" as const },
    {
      ...common,
      name: `issued with ${name}, altered`,
      certificate: altered(certificate, "Ada"),
      verdict: "bad-signature" as const,
    },
  ]
})

/** The same length, and another letter in the last occurrence of this name. */
function altered(certificate: Uint8Array, name: string): Uint8Array {
  const changed = certificate.slice()
  changed[Buffer.from(certificate).lastIndexOf(name)]! ^= 2
  return changed
}

function withLastBitFlipped(certificate: Uint8Array): Uint8Array {
  return certificate.map((byte, at) => (at === certificate.length - 1 ? byte ^ 1 : byte))
}

const { digitalSignature, keyAgreement, keyCertSign } = KeyUsageFlags
const SHA1_WITH_RSA = new AlgorithmIdentifier({ algorithm: "1.2.840.113549.1.1.5", parameters: NULL.slice().buffer })
const SHORT_RSA_SPKI = sequence(
  sequence(hexToBytes("06092a864886f70d0101010500")),
  bitString(sequence(integer(2n ** 1023n + 1n), integer(65537n))),
)
const people = (...names: readonly string[]): Name =>
  new Name(names.map((utf8String) => new RelativeDistinguishedName([attribute("2.5.4.3", utf8String)])))

function attribute(type: string, utf8String: string): AttributeTypeAndValue {
  return new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) })
}

const TORSION_SPKI = sequence(hexToBytes("300506032b6570"), bitString(Uint8Array.of(1, ...new Uint8Array(31))))
const ofOrganisation = new Name([new RelativeDistinguishedName([attribute("2.5.4.10", "Acme")])])

const authorities: readonly CertificateCase[] = [
  root("an authority named by its organisation", "accepted", rootOf(ED25519_KEY, ofOrganisation)),
  root("a member as an authority", "not-an-authority", signedBy(ED25519_KEY, ACME)),
  root(
    "an authority whose key may not issue",
    "not-an-authority",
    rootOf(ED25519_KEY, ACME, { extensions: [isAuthority(true)] }),
  ),
  root(
    "a key that issues without an authority",
    "not-an-authority",
    rootOf(ED25519_KEY, ACME, { extensions: [usage(keyCertSign)] }),
  ),
  root(
    "an authority with an unknown critical extension",
    "not-an-authority",
    rootOf(ED25519_KEY, ACME, { extensions: [...ISSUES, unknownCritical()] }),
  ),
  root(
    "an authority that another one issued",
    "not-an-authority",
    rootOf(ED25519_KEY, ACME, { issuer: commonName("Other") }),
  ),
  root("an authority that signs with SHA-1", "weak-signature", rootOf({ ...rsaKey(), algorithm: SHA1_WITH_RSA }, ACME)),
  root("an authority with a short RSA key", "weak-signature", rootOf({ ...rsaKey(), spki: SHORT_RSA_SPKI }, ACME)),
  root("an authority with a compressed key", "bad-signature", rootOf(ecdsaKey("P-256", { isCompressed: true }), ACME)),
  root(
    "an authority with an RSA signature above the modulus",
    "bad-signature",
    rootOf(
      rsaKey((s, n) => s + n),
      ACME,
    ),
  ),
  root("an authority without a name", "bad-name", rootOf(ED25519_KEY, new Name([]))),
  root("an authority that has ended", "expired", ED25519_ROOT, NOW_MS + 10 * DAY_MS),
  root("an authority that has not begun", "not-yet-valid", ED25519_ROOT, NOW_MS - 10 * DAY_MS - 1000),
]

const members: readonly CertificateCase[] = [
  issued("for mail", "accepted", { extensions: [usage(digitalSignature), purpose("1.3.6.1.5.5.7.3.4")] }),
  issued("only for servers", "wrong-usage", { extensions: [usage(digitalSignature), purpose("1.3.6.1.5.5.7.3.1")] }),
  issued("to a key that only agrees keys", "wrong-usage", { extensions: [isAuthority(false), usage(keyAgreement)] }),
  issued("to a key that may issue", "wrong-usage", {
    extensions: [isAuthority(false), usage(digitalSignature | keyCertSign)],
  }),
  issued("to an authority below", "wrong-usage", { extensions: ISSUES }),
  issued("without a usage", "wrong-usage", { extensions: [] }),
  issued("with an unknown critical extension", "wrong-usage", {
    extensions: [usage(digitalSignature), unknownCritical()],
  }),
  issued("with an extension twice", "wrong-usage", { extensions: [usage(digitalSignature), usage(digitalSignature)] }),
  issued("by another authority", "wrong-authority", { issuer: commonName("Other") }),
  issued("by another authority of the same name", "bad-signature", {}, ed25519Key("another authority")),
  issued("to a key on P-256", "bad-key", { spki: P256_KEY.spki }),
  issued("to a key of small order", "bad-key", { spki: TORSION_SPKI }),
  issued("under two names", "bad-name", { subject: people("Ada", "Bob") }),
  issued("under no common name", "bad-name", { subject: ofOrganisation }),
  issued("under an invisible name", "bad-name", { subject: commonName("Ad\u200Ba") }),
  issued("and at its last second", "accepted", {}, ED25519_KEY, NOW_MS + DAY_MS - 1000),
  issued("and ended", "expired", {}, ED25519_KEY, NOW_MS + DAY_MS),
  issued("and at its first second", "accepted", {}, ED25519_KEY, NOW_MS - DAY_MS),
  issued("and not begun", "not-yet-valid", {}, ED25519_KEY, NOW_MS - DAY_MS - 1000),
  issued("until after 2049", "accepted", { notAfterMs: Date.UTC(2051, 0, 1) }),
  issued("with another algorithm outside", "malformed", { outside: P256_KEY.algorithm }),
]

/** Changes of the form of a valid certificate, which its signature does not cover. */
const reformed = (): CertificateCase[] => {
  const { certificate, ...valid } = issued("", "malformed")
  const signed = certificate.subarray(4, certificate.length - 74)
  const [algorithm, signature] = [certificate.subarray(-74, -67), certificate.slice(-64)]
  const forms: readonly (readonly [string, Uint8Array])[] = [
    ["with a byte behind it", concatBytes(certificate, Uint8Array.of(0))],
    ["with a value behind the signature", sequence(signed, algorithm, bitString(signature), NULL)],
    ["whose signature's last bit is unused", sequence(signed, algorithm, value(3, Uint8Array.of(1), signature))],
    ["cut short by a byte", certificate.slice(0, -1)],
    ["of over 4 KiB", concatBytes(hexToBytes("30821000"), certificate, new Uint8Array(4096 - certificate.length))],
    ["of no bytes", new Uint8Array(0)],
  ]
  return forms.map(([name, changed]) => ({ ...valid, name: `a certificate ${name}`, certificate: changed }))
}

export function certificateFile([ada]: readonly [Person]): VectorFile {
  const own = { as: "self-signed", authority: null, atMs: NOW_MS } as const
  const extended = signedBy(ADAS_KEY, commonName("Ada"), {
    extensions: [isAuthority(false), usage(digitalSignature), unknownCritical()],
  })
  const selfSigned: CertificateCase[] = [
    { ...own, name: "a member's own certificate", certificate: ada.certificate, verdict: "accepted" },
    { ...own, name: "with one more extension", certificate: extended, verdict: "refused" },
    { ...own, name: "altered", certificate: altered(ada.certificate, "Ada"), verdict: "refused" },
    { ...own, name: "of another's key", certificate: signedBy(ED25519_KEY, commonName("Ada")), verdict: "refused" },
    { ...own, name: "with another issuer", certificate: signedBy(ADAS_KEY, ACME), verdict: "refused" },
    {
      ...own,
      name: "with a byte behind it",
      certificate: concatBytes(ada.certificate, Uint8Array.of(0)),
      verdict: "refused",
    },
    { ...own, name: "over", certificate: ada.certificate, atMs: Date.UTC(2046, 1, 1), verdict: "refused" },
    { ...own, name: "with the bare profile", certificate: signedBy(ADAS_KEY, commonName("Ada")), verdict: "accepted" },
  ]
  const whole = [...byAlgorithm, ...authorities, ...members, ...ecdsaForms, ...reformed(), ...selfSigned]
  return {
    name: "certificates",
    about:
      "X.509 certificates at a time: as an authority's, as one that this authority issued, or self-signed; and the verdict",
    see: "Certificates",
    vectors: whole,
  }
}
