import { gcmsiv } from "@noble/ciphers/aes.js"
import type { Aead, DataCipher } from "./aead.ts"

/**
 * AES-256-GCM-SIV (RFC 8452) of noble, because neither WebCrypto nor Node has it. Two messages under one nonce reveal
 * only whether they are equal. Its AES looks up tables, so its time can depend on the key. Unlike the other two it does
 * not protect from code that shares a processor's cache.
 */
export const aesGcmSiv: DataCipher = {
  name: "aes-256-gcm-siv",
  create: (bytes): Aead => {
    const key = bytes.slice()
    return {
      seal: (nonce, associatedData, plaintext) => gcmsiv(key, nonce, associatedData).encrypt(plaintext),
      open: (nonce, associatedData, ciphertext) => {
        try {
          return gcmsiv(key, nonce, associatedData).decrypt(ciphertext)
        } catch {
          return null
        }
      },
      erase: () => void key.fill(0),
    }
  },
}
