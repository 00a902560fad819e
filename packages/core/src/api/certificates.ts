/** An organisation's certificate authority (CA), known by its self-signed root certificate. */
export type CertificateAuthority = {
  readonly name: string
  /** SHA-256 of its certificate, hex. */
  readonly fingerprint: string
  /** DER. */
  readonly certificate: Uint8Array
}

/** That an authority says whose key this is. */
export type Certification = {
  /** The name that it certified. */
  readonly name: string
  readonly authority: CertificateAuthority
  /** Milliseconds since 1970. */
  readonly validUntilMs: number
}
