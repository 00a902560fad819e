import { isStrictKey, isStrictSignature } from "../shared/strict-signature.ts"
import { isWebAssemblyAllowed } from "../shared/web-assembly.ts"

/** Ed25519: is `signature` (64 bytes) that of `publicKey` (32 bytes) over `bytes`? False for malformed input. */
export type VerifySignature = (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array) => boolean

/**
 * Synchronous verification, as `MajorityOptions.isSigned` requires: over libsodium's WebAssembly, or over noble where
 * that is forbidden. Only the one in use is loaded.
 */
export async function loadVerifier(): Promise<VerifySignature> {
  if (!isWebAssemblyAllowed()) return (await import("./noble-verifier.ts")).nobleVerifier
  const { default: sodium } = await import("libsodium-wrappers-sumo")
  await sodium.ready
  return (publicKey, bytes, signature) => {
    if (!isStrictKey(publicKey) || !isStrictSignature(signature)) return false
    return sodium.crypto_sign_verify_detached(signature, bytes, publicKey)
  }
}
