import { ed25519 } from "@noble/curves/ed25519.js"
import { roomProofBytes } from "./room-proof.ts"

/**
 * The public key that the server stores with a conference. It distinguishes clients that hold the invitation from
 * clients that know only the conference id. It looks random without `secret`.
 * @param secret 32 bytes, the same for all members of the conference
 */
export function roomVerifier(secret: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(secret)
}

/** Ed25519 (RFC 8032) under the private key of a seed of 32 bytes. Signatures have 64 bytes. */
export type SeedSigner = { sign(seed: Uint8Array, bytes: Uint8Array): Uint8Array }

const nobleSigner: SeedSigner = { sign: (seed, bytes) => ed25519.sign(bytes, seed) }

/** The proof for one entry over one connection; see `roomProofBytes`. 64 bytes. */
export function proveRoom(
  secret: Uint8Array,
  room: string,
  address: string,
  connection: string,
  signer = nobleSigner,
): Uint8Array {
  return signer.sign(secret, roomProofBytes(room, address, connection))
}
