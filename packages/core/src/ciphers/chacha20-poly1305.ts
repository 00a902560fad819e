import type { HopCipher } from "@keymoot/transport"
import { type Aead, AEAD_TAG_BYTES, type DataCipher } from "./aead.ts"

/** ChaCha20-Poly1305 (RFC 8439), with the implementation that the links use. */
export function chacha20Poly1305(cipher: HopCipher): DataCipher {
  return {
    name: "chacha20-poly1305",
    create: (bytes): Aead => {
      const key = bytes.slice()
      return {
        seal: (nonce, associatedData, plaintext) => {
          const sealed = new Uint8Array(plaintext.length + AEAD_TAG_BYTES)
          cipher.seal(key, nonce, associatedData, plaintext, sealed)
          return sealed
        },
        // The result is valid until the next call only, and a batch is kept longer.
        open: (nonce, associatedData, sealed) => cipher.open(key, nonce, associatedData, sealed)?.slice() ?? null,
        erase: () => void key.fill(0),
      }
    },
  }
}
