/** X25519 over noble, for where WebAssembly is forbidden; loaded only there (`loadX25519`). */
import { x25519 } from "@noble/curves/ed25519.js"
import type { X25519 } from "./x25519.ts"

export const nobleX25519: X25519 = {
  publicKey: (secret) => x25519.getPublicKey(secret),
  shared(secret, theirs) {
    try {
      return x25519.getSharedSecret(secret, theirs)
    } catch {
      // noble's only complaint about 32 and 32 bytes: the result is zero.
      return null
    }
  },
}
