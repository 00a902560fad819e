import { chacha20poly1305 } from "@noble/ciphers/chacha.js"

/**
 * ChaCha20-Poly1305 (RFC 8439) over whole frames, synchronous: hop protection is most of what a link computes, so that a
 * faster one than this package's own may be passed in.
 */
export type HopCipher = {
  /**
   * Writes the ciphertext, then 16 bytes of tag, to `sealed`, which has exactly room for them.
   * @param key 32 bytes, the same for as long as this buffer is a key. @param nonce 12 bytes.
   */
  seal(key: Uint8Array, nonce: Uint8Array, header: Uint8Array, plain: Uint8Array, sealed: Uint8Array): void
  /** Null for whatever was not sealed so. What is opened may stand only until the next call. */
  open(key: Uint8Array, nonce: Uint8Array, header: Uint8Array, sealed: Uint8Array): Uint8Array | null
}

export const nobleHopCipher: HopCipher = {
  // Straight into a buffer that is not aligned it would take longer.
  seal: (key, nonce, header, plain, sealed) => sealed.set(chacha20poly1305(key, nonce, header).encrypt(plain)),
  open: (key, nonce, header, sealed) => {
    try {
      return chacha20poly1305(key, nonce, header).decrypt(sealed)
    } catch {
      return null
    }
  },
}
