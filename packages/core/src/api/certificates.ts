/** An organisation's certificate authority (CA), identified by its self-signed root certificate. */
export type CertificateAuthority = {
  readonly name: string
  /** SHA-256 of the root certificate, hex. */
  readonly fingerprint: string
  /** The root certificate, DER. */
  readonly certificate: Uint8Array
}

/** An authority's statement of the key's owner. */
export type Certification = {
  /** The certified name. */
  readonly name: string
  readonly authority: CertificateAuthority
  /** Milliseconds since 1970. */
  readonly validUntilMs: number
}
