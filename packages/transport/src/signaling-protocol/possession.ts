/** What a proof of possession is for: one made for the one is no good for the other. */
export type ProofPurpose = "participant:add" | "participant:prove"

/**
 * What a participant signs with the key of its certificate to prove that it holds it. The challenge makes it fresh and ties
 * it to one connection, since the server accepts each challenge once, from whom it gave it to. The origin ties it to one
 * server: another server that passes on a challenge of this one would get a signature over its own origin.
 * @param origin the server's, as the client knows it; never as the server says it
 * @param challenge 32 bytes from `participant:challenge`
 * @param fingerprint SHA-256 of the certificate (DER), 32 bytes
 */
export function possessionBytes(
  purpose: ProofPurpose,
  origin: string,
  challenge: Uint8Array,
  fingerprint: Uint8Array,
): Uint8Array {
  const encoder = new TextEncoder()
  // The length in front keeps one purpose from being the beginning of another; all but the last part have fixed lengths.
  const domain = encoder.encode(`keymoot v1 ${purpose}`)
  const parts = [Uint8Array.of(domain.length), domain, challenge, fingerprint, encoder.encode(origin)]
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
