import { createHash, type KeyObject, verify, X509Certificate } from "node:crypto"
import { NAME_CODE_POINTS_MAX, SIGNATURE_BYTES } from "@keymoot/transport/signaling-protocol"

/** The fields that the directory needs of a certificate that is valid in itself. */
export interface CheckedCertificate {
  /** SHA-256 of the certificate (DER), 32 bytes. */
  readonly fingerprint: Uint8Array
  /**
   * A digest that identifies the holder: of the key if the certificate is self-signed, else of the subject and the
   * authority's key. The authority's name is not used, since any authority can choose it. So a forged certificate with
   * another person's name is a separate identity and never replaces that person's.
   */
  readonly identity: string
  readonly name: string
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** Whether the certificate's key made the signature. */
  verifies(message: Uint8Array, signature: Uint8Array): boolean
}

/**
 * Reads an X.509 certificate for Ed25519 or P-256 that is valid now and correctly signed. The members judge whether the
 * authority deserves trust, not the server.
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

/**
 * OpenSSL also takes PEM, and ignores bytes after a certificate. Then the fingerprint would cover other bytes than the
 * parsed ones.
 */
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

/** Length prefix for fields of variable length, so that two different inputs never hash alike. */
function lengthOf(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, bytes.length)
  return length
}

/** The one common name, if it can be displayed and stored. */
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
  // The signature format of WebCrypto.
  return verify("sha256", message, { key, dsaEncoding: "ieee-p1363" }, signature)
}
