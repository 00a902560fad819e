import type { MemberId } from "@keymoot/transport"

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

/** An identity that this device keeps. */
export type StoredIdentity = {
  /** Id of the identity on this device only. */
  readonly id: string
  readonly name: string
  /** Raw Ed25519 key, 64 hex digits. Others verify it, and a backup restores it on another device. */
  readonly publicKey: string
  /** Whether `Identity.open` uses this identity by default. */
  readonly chosen: boolean
  readonly certifications: readonly Certification[]
}

/** `backup`: a file encrypted with the passphrase; null without one. It is not stored and can't be created later. */
export type NewIdentity = { readonly identity: StoredIdentity; readonly backup: Uint8Array | null }

/** Identities of this device. All calls also reject with `storage-unavailable`. */
export interface IdentitiesHandle {
  list(): Promise<readonly StoredIdentity[]>
  /**
   * Creates an identity and chooses it. A passphrase (12 characters or more) adds a backup, which takes about a second.
   * @throws KeymootError `invalid-argument` (name or passphrase), `too-large` (16 exist), `unsupported-browser`
   */
  create(options: { readonly name: string; readonly passphrase?: string }): Promise<NewIdentity>
  /**
   * Restores an identity from its backup and chooses it. The key is the same, so people that verified it recognise it.
   * @throws KeymootError `wrong-passphrase`, `damaged-backup`, `newer-backup`, `too-large` (16 exist),
   * `unsupported-browser`
   */
  restore(options: { readonly backup: Uint8Array; readonly passphrase: string }): Promise<StoredIdentity>
  /** @throws KeymootError `invalid-argument` (the name, or no such id) */
  rename(id: string, name: string): Promise<void>
  /** @throws KeymootError `invalid-argument` (no such id) */
  choose(id: string): Promise<void>
  /**
   * Returns a certificate request (PKCS #10, PEM) for an authority. @throws KeymootError `invalid-argument` (no such
   * id)
   */
  certificateRequest(id: string): Promise<string>
  /**
   * Stores a certificate that an authority issued, with the authority's own, PEM or DER. The authority must be a root
   * and must have issued the certificate directly.
   * @throws KeymootError `bad-certificate` (with the reason), `invalid-argument` (no such id)
   */
  certify(
    id: string,
    issued: { readonly certificate: Uint8Array | string; readonly authority: Uint8Array | string },
  ): Promise<StoredIdentity>
  /**
   * Deletes an identity, and its documents, messages and files on this device. Without a backup its key is lost.
   * @throws KeymootError `invalid-argument` (no such id), `already-open` (it is in a conference)
   */
  remove(id: string): Promise<void>
  close(): void
}

export interface IdentityHandle {
  readonly name: string
  readonly member: MemberId
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /**
   * Short text with this identity's name and public key, and no secret. Others can use it to put this person on a
   * roster.
   */
  readonly card: string
  /** Ends this identity's engine with all its conferences. */
  close(): Promise<void>
}
