import { createHash, type KeyObject, verify, X509Certificate } from "node:crypto"
import { NAME_CODE_POINTS_MAX, SIGNATURE_BYTES } from "@keymoot/transport/signaling-protocol"

/** What the directory needs of a certificate that is right in itself. */
export interface CheckedCertificate {
  /** SHA-256 of the certificate (DER), 32 bytes. */
  readonly fingerprint: Uint8Array
  /**
   * Whose certificate it is, as a digest: the key's, if it signed itself; else the subject's in combination with the key of
   * the authority. Not with its name, which any authority can take. So who forges a certificate with another's name has an
   * identity of its own, beside the other's and not in its place.
   */
  readonly identity: string
  readonly name: string
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** Whether the certificate's key made the signature. */
  verifies(message: Uint8Array, signature: Uint8Array): boolean
}

/**
 * Reads an X.509 certificate for Ed25519 or P-256 that is valid now and correctly signed. Whether the authority deserves
 * trust is for those to judge who meet the participant.
 * @param issuer the authority's certificate (DER), unless it is self-signed
 * @returns undefined for anything else
 */
export function checkCertificate(
  der: Uint8Array,
  issuer: Uint8Array | undefined,
  nowMs: number,
): CheckedCertificate | undefined {
  try {
    const certificate = parseDer(der)
    const authority = issuer === undefined ? undefined : parseDer(issuer)
    if (certificate === undefined || certificate.ca || !isSupported(certificate.publicKey)) return undefined
    if (!isSignedBy(certificate, authority)) return undefined
    const name = commonName(certificate)
    const [notBeforeMs, notAfterMs] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()]
    if (name === undefined || !(notBeforeMs <= nowMs && nowMs < notAfterMs)) return undefined
    if (authority !== undefined && authority.validToDate.getTime() <= nowMs) return undefined
    return {
      fingerprint: createHash("sha256").update(der).digest(),
      identity: identityOf(certificate, authority),
      name,
      notBeforeMs,
      notAfterMs,
      verifies: (message, signature) => verifies(certificate.publicKey, message, signature),
    }
  } catch {
    // OpenSSL throws at what it cannot read.
    return undefined
  }
}

/** OpenSSL also takes PEM, and ignores what follows a certificate: then the fingerprint would be of other bytes than were read. */
function parseDer(der: Uint8Array): X509Certificate | undefined {
  const certificate = new X509Certificate(der)
  return certificate.raw.equals(der) ? certificate : undefined
}

function isSignedBy(certificate: X509Certificate, authority: X509Certificate | undefined): boolean {
  if (authority === undefined) return certificate.verify(certificate.publicKey)
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}

function identityOf(certificate: X509Certificate, authority: X509Certificate | undefined): string {
  const key = (authority ?? certificate).publicKey.export({ type: "spki", format: "der" })
  const hash = createHash("sha256")
    .update(authority === undefined ? "self" : "authority")
    .update(lengthOf(key))
    .update(key)
  return (authority === undefined ? hash : hash.update(certificate.subject)).digest("hex")
}

/** In front of what has no fixed length, so that two inputs never hash alike by moving a border. */
function lengthOf(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, bytes.length)
  return length
}

/** The one common name, if it can be shown and stored. */
function commonName(certificate: X509Certificate): string | undefined {
  const name: unknown = certificate.toLegacyObject().subject?.CN
  if (typeof name !== "string" || name.trim() === "" || [...name].length > NAME_CODE_POINTS_MAX) return undefined
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name) ? undefined : name
}

function isSupported(key: KeyObject): boolean {
  return (
    key.asymmetricKeyType === "ed25519" ||
    (key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1")
  )
}

function verifies(key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  if (key.asymmetricKeyType === "ed25519") return verify(null, message, key, signature)
  // As WebCrypto writes it.
  return verify("sha256", message, { key, dsaEncoding: "ieee-p1363" }, signature)
}
