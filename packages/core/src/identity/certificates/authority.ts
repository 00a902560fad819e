/**
 * Certificates that an organisation's authority (CA) issued. The chain is exactly root → member. All checks are in this
 * file.
 */
import { isStrictKey } from "@keymoot/gke"
import { bytesToHex } from "@noble/hashes/utils.js"

import { equalBytes } from "../../wire/index.ts"
import { CERTIFICATE_BYTES_MAX, ed25519KeyOf, fingerprintOf, memberIdOfKey } from "./certificate.ts"
import type { MemberCredential } from "./credential-checker.ts"
import { isStrictCertificate } from "./der.ts"
import { isValidName } from "./name.ts"
import { readX509, type X509 } from "./x509.ts"
import {
  criticalExtensionsAreKnown,
  type KeyIds,
  keyIdsOf,
  namesOtherKey,
  type Usage,
  usageOf,
} from "./x509-extensions.ts"
import { isSignedBy, type SignatureAlgorithm, strongAlgorithmOf } from "./x509-signature.ts"

/** Reason of a refusal: the first that applies, in this order. */
export type CertificateRefusal =
  /** No X.509 in DER, or over 4 KiB. */
  | "malformed"
  /** SHA-1, a short RSA key, or an algorithm that WebCrypto does not support. */
  | "weak-signature"
  /** As an authority's: it may not issue certificates. A member's certificate is one of these. */
  | "not-an-authority"
  /** Another authority issued it. */
  | "wrong-authority"
  /** The authority did not sign these bytes. */
  | "bad-signature"
  | "expired"
  | "not-yet-valid"
  /** As a member's: its key may not sign, or it may issue certificates, or it has an unknown critical extension. */
  | "wrong-usage"
  /** No Ed25519 key, or one of small order. */
  | "bad-key"
  /** Its subject does not have exactly one common name, or that is no valid name. */
  | "bad-name"

type Validity = { readonly notBeforeMs: number; readonly notAfterMs: number }
/** A valid certificate except for its dates, which are checked at each use. */
export type CheckedCertificate = Validity & { readonly credential: MemberCredential }

export type Authority = {
  /** Common name of its subject, otherwise the organisation. */
  readonly name: string
  /** DER. */
  readonly certificate: Uint8Array
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** Reads a certificate that the authority issued to a member. `refusalByTime` checks the dates. */
  read(der: Uint8Array): Promise<CheckedCertificate | CertificateRefusal>
} & Validity

/** In DER with its parts decoded; each may still be invalid. */
type Parsed = X509 & {
  /** Null if weak or unknown. */
  readonly algorithm: SignatureAlgorithm | null
  /** Null if an extension occurs twice. */
  readonly usage: Usage | null
  readonly keyIds: KeyIds
}

/** Reads a root: self-signed and marked as an authority. `refusalByTime` checks the dates. */
export async function readAuthority(der: Uint8Array): Promise<Authority | CertificateRefusal> {
  const root = parse(der)
  if (root === null) return "malformed"
  if (root.algorithm === null) return "weak-signature"
  if (!root.usage?.issues || !criticalExtensionsAreKnown(root)) return "not-an-authority"
  if (!equalBytes(root.issuer.der, root.subject.der)) return "not-an-authority"
  if (!(await isSignedBy(root, root.algorithm, root.subjectKey))) return "bad-signature"
  const [name = ""] = [...root.subject.commonNames, ...root.subject.organisations]
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

/** Returns null if the certificate is valid now, or was at some time after `sinceMs`. */
export function refusalByTime(
  { notBeforeMs, notAfterMs }: Validity,
  nowMs: number,
  sinceMs = nowMs,
): "expired" | "not-yet-valid" | null {
  if (nowMs < notBeforeMs) return "not-yet-valid"
  return Math.min(sinceMs, nowMs) < notAfterMs ? null : "expired"
}

/** Returns the member that a certificate of this authority names now, or named at some time after `sinceMs`. */
export async function checkIssued(
  authority: Authority,
  der: Uint8Array,
  nowMs: number,
  sinceMs = nowMs,
): Promise<MemberCredential | CertificateRefusal> {
  const issued = await authority.read(der)
  if (typeof issued === "string") return issued
  return refusalByTime(authority, nowMs, sinceMs) ?? refusalByTime(issued, nowMs, sinceMs) ?? issued.credential
}

async function readIssued(root: Parsed, der: Uint8Array): Promise<CheckedCertificate | CertificateRefusal> {
  const parsed = parse(der)
  if (parsed === null) return "malformed"
  const { algorithm, usage } = parsed
  if (algorithm === null) return "weak-signature"
  const isNamed = equalBytes(parsed.issuer.der, root.subject.der)
  if (!isNamed || namesOtherKey(parsed.keyIds, root.keyIds)) return "wrong-authority"
  if (!(await isSignedBy(parsed, algorithm, root.subjectKey))) return "bad-signature"
  if (!usage?.signs || usage.issues || usage.isAuthority || !criticalExtensionsAreKnown(parsed)) return "wrong-usage"
  const publicKey = ed25519KeyOf(parsed)
  if (publicKey === null || !isStrictKey(publicKey)) return "bad-key"
  const [name = "", ...more] = parsed.subject.commonNames
  if (more.length > 0 || !isValidName(name)) return "bad-name"
  return { credential: { member: memberIdOfKey(publicKey), certificate: der, publicKey, name }, ...validityOf(parsed) }
}

function parse(der: Uint8Array): Parsed | null {
  if (der.length === 0 || der.length > CERTIFICATE_BYTES_MAX || !isStrictCertificate(der)) return null
  try {
    const x509 = readX509(der)
    return { ...x509, algorithm: strongAlgorithmOf(x509), usage: usageOf(x509), keyIds: keyIdsOf(x509) }
  } catch {
    return null
  }
}

function validityOf({ notBeforeMs, notAfterMs }: X509): Validity {
  return { notBeforeMs, notAfterMs }
}
