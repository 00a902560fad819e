import { isWebAssemblyAllowed } from "../web-assembly.ts"

/** Ed25519: is `signature` (64 bytes) that of `publicKey` (32 bytes) over `bytes`? False for whatever is malformed. */
export type VerifySignature = (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array) => boolean

/**
 * Verification that answers at once, as `MajorityOptions.isSigned` must: over libsodium's WebAssembly, or over noble where that
 * is forbidden; of the two only the one used is loaded.
 */
export async function loadVerifier(): Promise<VerifySignature> {
  if (!isWebAssemblyAllowed()) return (await import("./noble-verifier.ts")).nobleVerifier
  const { default: sodium } = await import("libsodium-wrappers-sumo")
  await sodium.ready
  return (publicKey, bytes, signature) => {
    if (publicKey.length !== 32 || signature.length !== 64) return false
    return sodium.crypto_sign_verify_detached(signature, bytes, publicKey)
  }
}
