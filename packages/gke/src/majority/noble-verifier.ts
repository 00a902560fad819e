/** Ed25519 over noble, for where WebAssembly is forbidden; loaded only there (`loadVerifier`). */
import { ed25519 } from "@noble/curves/ed25519.js"
import type { VerifySignature } from "./verifier.ts"

/** By the strict rules of RFC 8032, as libsodium. The two still differ about signatures that only their own maker can make. */
export const nobleVerifier: VerifySignature = (publicKey, bytes, signature) => {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  return ed25519.verify(signature, bytes, publicKey, { zip215: false })
}
