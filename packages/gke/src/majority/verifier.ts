import { isStrictKey, isStrictSignature } from "../shared/strict-signature.ts"
import { isWebAssemblyAllowed } from "../shared/web-assembly.ts"

/** Verifies Ed25519 at once. libsodium does; WebCrypto cannot. */
export interface SignatureVerifier {
  /** Whether `signature` (64 bytes) is that of `publicKey` (32 bytes) over `bytes`. False for malformed input. */
  verify(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean
}

/**
 * Verifies over libsodium's WebAssembly, or over noble where that is forbidden. Only the one in use is loaded.
 */
export async function loadVerifier(): Promise<SignatureVerifier> {
  if (!isWebAssemblyAllowed()) return (await import("./noble-verifier.ts")).nobleVerifier
  const { default: sodium } = await import("libsodium-wrappers-sumo")
  await sodium.ready
  return {
    verify: (publicKey, bytes, signature) => {
      if (!isStrictKey(publicKey) || !isStrictSignature(signature)) return false
      return sodium.crypto_sign_verify_detached(signature, bytes, publicKey)
    },
  }
}
