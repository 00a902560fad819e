import type { MemberId } from "@keymoot/transport"
import type { Certification } from "./certificates.ts"

/** An identity that this device keeps. */
export type StoredIdentity = {
  /** On this device only. */
  readonly id: string
  readonly name: string
  /** Raw Ed25519, 64 hex digits: what others verify, and what a backup brings to another device. */
  readonly publicKey: string
  /** `Identity.open` takes this one unless told otherwise. */
  readonly chosen: boolean
  readonly certifications: readonly Certification[]
}

/** `backup`: a file, sealed by the passphrase; null without one. It is not kept, and cannot be made later. */
export type NewIdentity = { readonly identity: StoredIdentity; readonly backup: Uint8Array | null }

/** The identities of this device. All calls reject with `storage-unavailable` too. */
export interface IdentitiesHandle {
  list(): Promise<readonly StoredIdentity[]>
  /**
   * Makes one, and chooses it. With a passphrase (12 characters or more) it comes with a backup; takes about a second then.
   * @throws KeymootError `invalid-argument` (name or passphrase), `too-large` (16 are here), `unsupported-browser`
   */
  create(options: { readonly name: string; readonly passphrase?: string }): Promise<NewIdentity>
  /**
   * Brings one back from its backup, and chooses it. The key is the same, so whoever verified it knows it again.
   * @throws KeymootError `wrong-passphrase`, `damaged-backup`, `newer-backup`, `too-large` (16 are here), `unsupported-browser`
   */
  restore(options: { readonly backup: Uint8Array; readonly passphrase: string }): Promise<StoredIdentity>
  /** @throws KeymootError `invalid-argument` (the name, or no such id) */
  rename(id: string, name: string): Promise<void>
  /** @throws KeymootError `invalid-argument` (no such id) */
  choose(id: string): Promise<void>
  /** A request (PKCS #10, PEM) that an authority turns into a certificate. @throws KeymootError `invalid-argument` (no such id) */
  certificateRequest(id: string): Promise<string>
  /**
   * Keeps what the authority issued: the certificate and the authority's own, PEM or DER. The authority must be a root, and
   * have issued it itself.
   * @throws KeymootError `bad-certificate` (with the reason), `invalid-argument` (no such id)
   */
  certify(
    id: string,
    issued: { readonly certificate: Uint8Array | string; readonly authority: Uint8Array | string },
  ): Promise<StoredIdentity>
  /** Without a backup its key is lost for good. @throws KeymootError `invalid-argument` (no such id) */
  remove(id: string): Promise<void>
  close(): void
}

export interface IdentityHandle {
  readonly name: string
  readonly member: MemberId
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** A short text with this identity's name and public key, no secret: others who have it can name this person in a roster. */
  readonly card: string
  /** Ends the engine behind this identity with all its conferences. */
  close(): Promise<void>
}
