/** Certification of an identity by an authority: a request with its key, and the certificate issued for that key. */
import { CertificationRequest, CertificationRequestInfo } from "@peculiar/asn1-csr"
import { AsnConvert } from "@peculiar/asn1-schema"
import { SubjectPublicKeyInfo } from "@peculiar/asn1-x509"
import { pem } from "@peculiar/utils/pem"

import { type Certification as ShownCertification, KeymootError } from "../api/index.ts"
import { bufferSource, equalBytes } from "../wire/index.ts"
import {
  type Authority,
  type CertificateRefusal,
  checkIssued,
  readAuthority,
  refusalByTime,
} from "./certificates/authority.ts"
import { CERTIFICATE_BYTES_MAX } from "./certificates/certificate.ts"
import type { MemberCredential } from "./certificates/credential-checker.ts"
import { rawPublicKey } from "./key-pair.ts"
import type { IdentityRecord } from "./store.ts"
import { commonName, ED25519, toDer } from "./certificates/x509.ts"

/** Certificates of authorities that an identity keeps. One more evicts the oldest. */
export const CERTIFICATIONS_MAX = 4
/** PEM takes a third more than DER, and tools put text before it. */
const PEM_CHARACTERS_MAX = 4 * CERTIFICATE_BYTES_MAX

/** Both in DER. */
export type Certification = { readonly certificate: Uint8Array; readonly authority: Uint8Array }

const WORDS: Record<CertificateRefusal, string> = {
  malformed: "it is no X.509 certificate, or is damaged",
  "weak-signature": "it is signed with an algorithm that is no longer safe, or that browsers do not have",
  "not-an-authority": "it is no authority's: it may not issue certificates",
  "wrong-authority": "another authority issued it",
  "bad-signature": "it was altered after it was signed, or another authority of the same name signed it",
  expired: "it has expired",
  "not-yet-valid": "it is not valid yet",
  "wrong-usage": "it is not made for a person who signs",
  "bad-key": "its key is no Ed25519 key",
  "bad-name": "its common name cannot be used as a name",
}

/** Returns a certificate request: PKCS #10 in PEM. */
export async function certificateRequest({ name, keyPair }: IdentityRecord): Promise<string> {
  const spki = await crypto.subtle.exportKey("spki", keyPair.publicKey)
  const certificationRequestInfo = new CertificationRequestInfo({
    subject: commonName(name),
    subjectPKInfo: AsnConvert.parse(spki, SubjectPublicKeyInfo),
  })
  const signed = bufferSource(toDer(certificationRequestInfo))
  const signature = await crypto.subtle.sign("Ed25519", keyPair.privateKey, signed)
  const request = new CertificationRequest({ certificationRequestInfo, signatureAlgorithm: ED25519, signature })
  return pem.encode("CERTIFICATE REQUEST", toDer(request))
}

/** @param certificate @param authority PEM or DER. @throws KeymootError `bad-certificate` */
export async function certify(
  record: IdentityRecord,
  certificate: Uint8Array | string,
  authority: Uint8Array | string,
  nowMs: number,
): Promise<IdentityRecord> {
  const root = await requireAuthority(authority, nowMs)
  const checked = await checkIssued(root, derOf(certificate), nowMs)
  if (typeof checked === "string") throw refused("certificate", checked)
  if (!equalBytes(checked.publicKey, await rawPublicKey(record.keyPair))) {
    const message =
      "This certificate is for another key. Have one issued for this identity's own request (certificateRequest)."
    throw new KeymootError("bad-certificate", message)
  }
  const others = (record.certifications ?? []).filter((other) => !equalBytes(other.authority, root.certificate))
  const made = { certificate: checked.certificate, authority: root.certificate }
  const certifications = [...others, made].slice(-CERTIFICATIONS_MAX)
  return { ...record, certifications }
}

/** Certifications for display, expired ones included, so that their owner notices. */
export async function shownCertifications(
  certifications: readonly Certification[],
): Promise<readonly ShownCertification[]> {
  const shown = certifications.map(async ({ certificate, authority }): Promise<ShownCertification[]> => {
    const root = await readAuthority(authority)
    const issued = typeof root === "string" ? root : await root.read(certificate)
    if (typeof root === "string" || typeof issued === "string") return []
    const validUntilMs = Math.min(root.notAfterMs, issued.notAfterMs)
    const by = { name: root.name, fingerprint: root.fingerprint, certificate: authority }
    return [{ name: issued.credential.name, authority: by, validUntilMs }]
  })
  return (await Promise.all(shown)).flat()
}

/** @throws KeymootError `bad-certificate` */
export async function requireAuthority(encoded: Uint8Array | string, nowMs: number): Promise<Authority> {
  const authority = await readAuthority(derOf(encoded))
  if (typeof authority === "string") throw refused("authority's certificate", authority)
  const refusal = refusalByTime(authority, nowMs)
  if (refusal !== null) throw refused("authority's certificate", refusal)
  return authority
}

/**
 * Returns the identity's certificate for a conference that requires this authority.
 * @param sinceMs as `refusalByTime`
 * @throws KeymootError `not-admitted`
 */
export async function certifiedBy(
  authority: Authority,
  certifications: readonly Certification[],
  nowMs: number,
  sinceMs: number,
): Promise<MemberCredential> {
  const kept = certifications.find((other) => equalBytes(other.authority, authority.certificate))
  const checked = kept ? await checkIssued(authority, kept.certificate, nowMs, sinceMs) : null
  if (checked !== null && typeof checked !== "string") return checked
  const reason =
    checked === null ? "This identity has no certificate of it" : `This identity's certificate of it: ${WORDS[checked]}`
  const message = `Only people certified by ${authority.name} can enter. ${reason}. Have one issued, and add it to the identity.`
  throw new KeymootError("not-admitted", message)
}

function derOf(encoded: Uint8Array | string): Uint8Array {
  if (typeof encoded !== "string") return encoded
  if (encoded.length > PEM_CHARACTERS_MAX) throw refused("certificate", "malformed")
  try {
    return pem.decodeFirst(encoded)
  } catch {
    throw refused("certificate", "malformed")
  }
}

function refused(what: string, why: CertificateRefusal): KeymootError {
  return new KeymootError(
    "bad-certificate",
    `This ${what} cannot be used: ${WORDS[why]}. Ask the authority for another.`,
  )
}
