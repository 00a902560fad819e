import { chacha20poly1305 } from "@noble/ciphers/chacha.js"

/**
 * ChaCha20-Poly1305 (RFC 8439) over whole frames, synchronous: hop protection is most of what a link computes, so that a
 * faster one than this package's own may be passed in.
 */
export type HopCipher = {
  /** Ciphertext, then 16 bytes of tag. @param key 32 bytes. @param nonce 12 bytes. */
  seal(key: Uint8Array, nonce: Uint8Array, header: Uint8Array, plain: Uint8Array): Uint8Array
  /** Null for whatever was not sealed so. */
  open(key: Uint8Array, nonce: Uint8Array, header: Uint8Array, sealed: Uint8Array): Uint8Array | null
}

export const nobleHopCipher: HopCipher = {
  seal: (key, nonce, header, plain) => chacha20poly1305(key, nonce, header).encrypt(plain),
  open: (key, nonce, header, sealed) => {
    try {
      return chacha20poly1305(key, nonce, header).decrypt(sealed)
    } catch {
      return null
    }
  },
}
