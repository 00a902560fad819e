/** How an identity comes by a certificate of an authority: it asks with its key, and takes what was issued on that key. */
import "./reflect-polyfill.ts" // before the library
import { Name as DistinguishedName, PemConverter, Pkcs10CertificateRequestGenerator } from "@peculiar/x509"

import { type Certification as ShownCertification, KeymootError } from "../api.ts"
import { equalBytes } from "../wire/index.ts"
import { type Authority, type CertificateRefusal, checkIssued, readAuthority, refusalByTime } from "./authority.ts"
import { CERTIFICATE_BYTES_MAX } from "./certificate.ts"
import type { MemberCredential } from "./credential-checker.ts"
import { rawPublicKey } from "./key-pair.ts"
import type { IdentityRecord } from "./store.ts"

/** Certificates of authorities that an identity keeps; one more takes the place of the oldest. */
export const CERTIFICATIONS_MAX = 4
/** PEM takes a third more than DER, and tools put text before it. */
const PEM_CHARACTERS_MAX = 4 * CERTIFICATE_BYTES_MAX

/** DER both. */
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

/** PKCS #10 in PEM: what an authority turns into a certificate. */
export async function certificateRequest({ name, keyPair }: IdentityRecord): Promise<string> {
  const request = await Pkcs10CertificateRequestGenerator.create(
    {
      name: new DistinguishedName([{ CN: [{ utf8String: name }] }]),
      keys: keyPair,
      signingAlgorithm: { name: "Ed25519" },
    },
    crypto,
  )
  return request.toString("pem")
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

/** For people to choose from; also what has expired, since its owner should know. */
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
 * As whom an identity enters where this authority's certificates are demanded.
 * @throws KeymootError `not-admitted`
 */
export async function certifiedBy(
  authority: Authority,
  certifications: readonly Certification[],
  nowMs: number,
): Promise<MemberCredential> {
  const kept = certifications.find((other) => equalBytes(other.authority, authority.certificate))
  const checked = kept ? await checkIssued(authority, kept.certificate, nowMs) : null
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
    return new Uint8Array(PemConverter.decodeFirst(encoded))
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
