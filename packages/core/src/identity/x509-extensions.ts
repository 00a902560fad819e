/** What a certificate of somebody else's making may be used for (RFC 5280, sections 4.2.1.3, 4.2.1.9, 4.2.1.12). */
import "./reflect-polyfill.ts" // before the library
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
} from "@peculiar/x509"

const RSA_BITS_MIN = 2048
const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17"
const [BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE] = ["2.5.29.19", "2.5.29.15", "2.5.29.37"]
const KNOWN = new Set([BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, SUBJECT_ALTERNATIVE_NAME])
/** TLS client, mail, anything: what authorities issue to people. One for servers or for code only is not a person's. */
const FOR_PEOPLE = new Set(["1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.4", "2.5.29.37.0"])

export type Usage = {
  /** Its key signs on a person's behalf. */
  readonly signs: boolean
  /** An authority whose key signs certificates. */
  readonly issues: boolean
  /** Said to be one, or with a key for it: either is too much for a member. */
  readonly isAuthority: boolean
}

/** Null for a certificate that says something twice. */
export function usageOf(certificate: X509Certificate): Usage | null {
  const types = certificate.extensions.map(({ type }) => type)
  if (new Set(types).size !== types.length) return null
  const saidCa = certificate.getExtension(BasicConstraintsExtension)?.ca === true
  const usages = certificate.getExtension(KeyUsagesExtension)?.usages ?? 0
  const purposes = certificate.getExtension(ExtendedKeyUsageExtension)?.usages ?? null
  const mayIssue = (usages & KeyUsageFlags.keyCertSign) !== 0
  return {
    signs:
      (usages & KeyUsageFlags.digitalSignature) !== 0 &&
      (purposes === null || purposes.some((purpose) => FOR_PEOPLE.has(String(purpose)))),
    issues: saidCa && mayIssue,
    isAuthority: saidCa || mayIssue,
  }
}

/** A critical extension that is not understood (constraints of names, say) must not be passed over. */
export function criticalExtensionsAreKnown(certificate: X509Certificate): boolean {
  return certificate.extensions.every(({ type, critical }) => !critical || KNOWN.has(type))
}

/** Collisions in SHA-1 have been turned into forged certificates. */
export function hasStrongSignature({ signatureAlgorithm, publicKey }: X509Certificate): boolean {
  const { name, hash } = signatureAlgorithm as { name: string; hash?: { name: string } }
  const { modulusLength } = publicKey.algorithm as { modulusLength?: number }
  if (modulusLength !== undefined && modulusLength < RSA_BITS_MIN) return false
  return name === "Ed25519" || /^SHA-(256|384|512)$/u.test(hash?.name ?? "")
}

/** Two authorities may have one name; a certificate mostly says which key of that name signed it. */
export function namesOtherKey(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const wanted = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId
  const there = issuer.getExtension(SubjectKeyIdentifierExtension)?.keyId
  return wanted !== undefined && there !== undefined && wanted !== there
}
