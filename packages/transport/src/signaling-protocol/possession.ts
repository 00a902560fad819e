import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** The purpose of a proof of possession. A proof for one purpose is invalid for the others. */
export type ProofPurpose = "participant:add" | "participant:prove" | "participant:remove"

/**
 * The bytes that a participant signs with its certificate's key to prove possession. The challenge makes the proof
 * fresh and binds it to one connection, since the server accepts each challenge once, from the client that got it. The
 * origin binds it to one server: another server that forwards this one's challenge gets a signature over its own
 * origin.
 * @param origin the server's, as the client knows it. Never the one that the server states.
 * @param challenge 32 bytes from `participant:challenge`
 * @param fingerprint SHA-256 of the certificate (DER), 32 bytes
 */
export function possessionBytes(
  purpose: ProofPurpose,
  origin: string,
  challenge: Uint8Array,
  fingerprint: Uint8Array,
): Uint8Array {
  // The leading length prevents one purpose from being a prefix of another. All parts but the last have fixed lengths.
  const domain = utf8ToBytes(`keymoot v1 ${purpose}`)
  return concatBytes(Uint8Array.of(domain.length), domain, challenge, fingerprint, utf8ToBytes(origin))
}
