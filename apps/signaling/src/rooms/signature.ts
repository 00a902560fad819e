import { createPublicKey, verify } from "node:crypto"

/**
 * Whether the private key of an Ed25519 public key, 32 bytes, signed the bytes. False for a public key that is none.
 */
export function isSigned(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString("base64url")
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
    return verify(null, bytes, key, signature)
  } catch {
    return false
  }
}
