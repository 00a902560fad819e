import { CHALLENGE_BYTES, possessionBytes, type ProofPurpose } from "@keymoot/transport/signaling-protocol"
import { hexToBytes } from "@noble/hashes/utils.js"
import { KeymootError } from "../api/index.ts"
import type { OwnIdentity } from "../identity/index.ts"

const PURPOSES: readonly ProofPurpose[] = ["participant:add", "participant:prove", "participant:remove"]

/**
 * Signs a directory's challenge. Nothing else can be signed this way: purpose and length are checked, and the origin is
 * the one to which the page is connected.
 * @throws KeymootError `invalid-argument`
 */
export async function provePossession(
  { certificate, fingerprint, signer }: OwnIdentity,
  { purpose, origin, challenge }: { purpose: ProofPurpose; origin: string; challenge: Uint8Array },
): Promise<{ certificate: Uint8Array; signature: Uint8Array }> {
  if (!PURPOSES.includes(purpose) || challenge.length !== CHALLENGE_BYTES) {
    throw new KeymootError("invalid-argument", "This is no challenge of a directory.")
  }
  const signed = possessionBytes(purpose, origin, challenge, hexToBytes(fingerprint))
  return { certificate, signature: await signer.sign(signed) }
}
