/** Ed25519 over noble, for where WebAssembly is forbidden; loaded only there (`loadVerifier`). */
import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesToNumberLE } from "@noble/curves/utils.js"
import { sha512 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"
import { equalBytes } from "../shared/bytes.ts"
import { isStrictKey, isStrictSignature } from "../shared/strict-signature.ts"
import type { SignatureVerifier } from "./verifier.ts"

const { Point } = ed25519

/**
 * Compares the encoding of `S·B - k·A` with R, as libsodium and the platforms do. noble's own function multiplies by the
 * cofactor, and accepts signatures that they reject.
 */
export const nobleVerifier: SignatureVerifier = { verify }

function verify(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (!isStrictKey(publicKey) || !isStrictSignature(signature)) return false
  const r = signature.subarray(0, 32)
  try {
    const k = Point.Fn.create(bytesToNumberLE(sha512(concatBytes(r, publicKey, bytes))))
    const key = Point.fromBytes(publicKey).negate().multiplyUnsafe(k)
    return equalBytes(
      Point.BASE.multiplyUnsafe(bytesToNumberLE(signature.subarray(32)))
        .add(key)
        .toBytes(),
      r,
    )
  } catch {
    return false
  }
}
