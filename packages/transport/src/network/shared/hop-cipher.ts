import { chacha20poly1305 } from "@noble/ciphers/chacha.js"

/**
 * ChaCha20-Poly1305 (RFC 8439) over whole frames, synchronous. Hop protection is most of what a link computes, so an
 * application may pass in a faster implementation.
 */
export type HopCipher = {
  /**
   * Writes the ciphertext, then 16 bytes of tag, to `sealed`, which has exactly that length.
   * @param key 32 bytes, which do not change while this buffer is in use as a key.
   * @param nonce 12 bytes.
   */
  seal(key: Uint8Array, nonce: Uint8Array, header: Uint8Array, plain: Uint8Array, sealed: Uint8Array): void
  /**
   * Returns null for bytes that were not sealed with these inputs. The returned bytes are valid only until the next
   * call.
   */
  open(key: Uint8Array, nonce: Uint8Array, header: Uint8Array, sealed: Uint8Array): Uint8Array | null
}

export const nobleHopCipher: HopCipher = {
  // Writing directly into an unaligned buffer would take longer.
  seal: (key, nonce, header, plain, sealed) => sealed.set(chacha20poly1305(key, nonce, header).encrypt(plain)),
  open: (key, nonce, header, sealed) => {
    try {
      return chacha20poly1305(key, nonce, header).decrypt(sealed)
    } catch {
      return null
    }
  },
}
