import { x25519 } from "@noble/curves/ed25519.js"

/**
 * X25519 (RFC 7748), synchronous. Keys and points have 32 bytes. A newcomer computes five for each member, so an
 * application may pass in a faster implementation.
 */
export type X25519 = {
  publicKey(secret: Uint8Array): Uint8Array
  /** The shared point, which the caller overwrites. Null if it is zero, as of a point of small order. */
  shared(secret: Uint8Array, theirs: Uint8Array): Uint8Array | null
}

export const nobleX25519: X25519 = {
  publicKey: (secret) => x25519.getPublicKey(secret),
  shared: (secret, theirs) => {
    try {
      return x25519.getSharedSecret(secret, theirs)
    } catch {
      return null
    }
  },
}
