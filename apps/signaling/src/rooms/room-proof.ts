import { roomProofBytes } from "@keymoot/transport/signaling-protocol"
import { isSigned } from "./signature.ts"

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
  return isSigned(verifier, roomProofBytes(room, address, holder), proof)
}
