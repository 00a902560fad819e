import type { MemberId } from "./ids.ts"

/** A certificate that passed every check. */
export type Credential = {
  readonly member: MemberId
  /** DER. */
  readonly certificate: Uint8Array
  /** Raw Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** The identity's private key. It never enters this package. */
export interface Signer {
  readonly member: MemberId
  readonly certificate: Uint8Array
  /** Ed25519 over `bytes`, 64 bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

export interface CredentialChecker {
  /** `null`: the certificate itself is invalid (malformed, expired, wrong signature). */
  check(certificate: Uint8Array): Promise<Credential | null>
  /** Ed25519. False for a malformed key or signature too. */
  verify(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): Promise<boolean>
}
