/**
 * Certificates that an organisation's authority (CA) issued. The chain is exactly root → member, and everything is checked
 * here: the library's chain builder takes any certificate that signed another for an issuer, a member's too.
 */
import "./reflect-polyfill.ts" // before the library
import { X509Certificate } from "@peculiar/x509"
import { bytesToHex } from "@noble/hashes/utils.js"

import { bufferSource, equalBytes } from "../wire/index.ts"
import { CERTIFICATE_BYTES_MAX, ed25519KeyOf, fingerprintOf, memberIdOfKey } from "./certificate.ts"
import type { MemberCredential } from "./credential-checker.ts"
import { isStrictCertificate } from "./der.ts"
import { isSmallOrder } from "./small-order.ts"
import { isValidName } from "./name.ts"
import { criticalExtensionsAreKnown, hasStrongSignature, namesOtherKey, usageOf } from "./x509-extensions.ts"

/** Why a certificate is refused; the first that applies, in this order. */
export type CertificateRefusal =
  /** No X.509 in DER, or over 4 KiB. */
  | "malformed"
  /** SHA-1, a short RSA key, or an algorithm that WebCrypto does not have. */
  | "weak-signature"
  /** As an authority: it may not issue certificates. A member's certificate is one of these. */
  | "not-an-authority"
  /** Another authority issued it. */
  | "wrong-authority"
  /** The bytes are not what the authority signed. */
  | "bad-signature"
  | "expired"
  | "not-yet-valid"
  /** As a member's: its key is not there to sign, or it may issue certificates, or it has a critical extension unknown here. */
  | "wrong-usage"
  /** No Ed25519 key, or one of small order. */
  | "bad-key"
  /** Its subject has not exactly one common name, or one that is no name here. */
  | "bad-name"

type Validity = { readonly notBeforeMs: number; readonly notAfterMs: number }
/** Right in itself; whether its time is now is another question each time it is asked. */
export type IssuedCertificate = Validity & { readonly credential: MemberCredential }

export type Authority = {
  /** Of its subject: the common name, else the organisation. */
  readonly name: string
  /** DER. */
  readonly certificate: Uint8Array
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** A certificate that it issued to a member; dates are left to `refusalByTime`. */
  read(der: Uint8Array): Promise<IssuedCertificate | CertificateRefusal>
} & Validity

/** A root: self-signed, and said to be one. Its dates are left to `refusalByTime`. */
export async function readAuthority(der: Uint8Array): Promise<Authority | CertificateRefusal> {
  const root = parse(der)
  if (root === null) return "malformed"
  if (!hasStrongSignature(root)) return "weak-signature"
  const usage = usageOf(root)
  if (!usage?.issues || !criticalExtensionsAreKnown(root)) return "not-an-authority"
  if (!equalBytes(nameBytes(root.issuerName), nameBytes(root.subjectName))) return "not-an-authority"
  if (!(await isSignedBy(root, root))) return "bad-signature"
  const [name = ""] = [...root.subjectName.getField("CN"), ...root.subjectName.getField("O")]
  if (!isValidName(name)) return "bad-name"
  const certificate = der.slice()
  return {
    name,
    certificate,
    fingerprint: bytesToHex(fingerprintOf(certificate)),
    ...validityOf(root),
    read: (member) => readIssued(root, member.slice()),
  }
}

/** Null if the time is now. */
export function refusalByTime(
  { notBeforeMs, notAfterMs }: Validity,
  nowMs: number,
): "expired" | "not-yet-valid" | null {
  if (nowMs < notBeforeMs) return "not-yet-valid"
  return nowMs < notAfterMs ? null : "expired"
}

/** The member whom a certificate of this authority names, now. */
export async function checkIssued(
  authority: Authority,
  der: Uint8Array,
  nowMs: number,
): Promise<MemberCredential | CertificateRefusal> {
  const issued = await authority.read(der)
  if (typeof issued === "string") return issued
  return refusalByTime(authority, nowMs) ?? refusalByTime(issued, nowMs) ?? issued.credential
}

async function readIssued(root: X509Certificate, der: Uint8Array): Promise<IssuedCertificate | CertificateRefusal> {
  const parsed = parse(der)
  if (parsed === null) return "malformed"
  if (!hasStrongSignature(parsed)) return "weak-signature"
  const isNamed = equalBytes(nameBytes(parsed.issuerName), nameBytes(root.subjectName))
  if (!isNamed || namesOtherKey(parsed, root)) return "wrong-authority"
  if (!(await isSignedBy(parsed, root))) return "bad-signature"
  const usage = usageOf(parsed)
  if (!usage?.signs || usage.issues || usage.isAuthority || !criticalExtensionsAreKnown(parsed)) return "wrong-usage"
  const publicKey = ed25519KeyOf(parsed)
  if (publicKey === null || isSmallOrder(publicKey)) return "bad-key"
  const [name = "", ...more] = parsed.subjectName.getField("CN")
  if (more.length > 0 || !isValidName(name)) return "bad-name"
  return { credential: { member: memberIdOfKey(publicKey), certificate: der, publicKey, name }, ...validityOf(parsed) }
}

function parse(der: Uint8Array): X509Certificate | null {
  if (der.length === 0 || der.length > CERTIFICATE_BYTES_MAX) return null
  try {
    // A copy: the library may keep what it was given.
    const parsed = new X509Certificate(bufferSource(der.slice()))
    // Asked here once, since each of these may throw for a malformed part.
    const { publicKey, extensions, notBefore, notAfter, signatureAlgorithm, issuerName, subjectName } = parsed
    const names = [issuerName, subjectName].map(nameBytes)
    const parts = [publicKey, extensions, notBefore, notAfter, signatureAlgorithm, names]
    return parts.length > 0 && isStrictCertificate(der) ? parsed : null
  } catch {
    return null
  }
}

/** As encoded: comparing names by their text has let one authority pass for another. */
function nameBytes(name: X509Certificate["subjectName"]): Uint8Array {
  return new Uint8Array(name.toArrayBuffer())
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): Promise<boolean> {
  return certificate.verify({ publicKey: issuer.publicKey, signatureOnly: true }, crypto).catch(() => false)
}

function validityOf({ notBefore, notAfter }: X509Certificate): Validity {
  return { notBeforeMs: notBefore.getTime(), notAfterMs: notAfter.getTime() }
}
