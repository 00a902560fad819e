import { createPublicKey, verify } from "node:crypto"
import { roomProofBytes } from "@keymoot/transport/signaling-protocol"

interface Claim {
  readonly room: string
  readonly address: string
  /** Socket.IO's id of the connection that carried the proof. */
  readonly holder: string
}

/**
 * Whether the private key of the conference's verifier made the proof for this entry. False for a verifier that is not
 * a key.
 */
export function isRoomProof(verifier: Uint8Array, { room, address, holder }: Claim, proof: Uint8Array): boolean {
  const x = Buffer.from(verifier).toString("base64url")
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
    return verify(null, roomProofBytes(room, address, holder), key, proof)
  } catch {
    return false
  }
}
