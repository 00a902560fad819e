/** Ciphers of messages by the names that descriptors have. */
import type { HopCipher } from "@keymoot/transport"
import type { Cipher } from "../api/index.ts"
import { type Aead, AEAD_TAG_BYTES, type DataCipher } from "./aead.ts"
import { aesGcm } from "./aes-gcm.ts"

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

/** @param chacha implementation of ChaCha20-Poly1305 */
export async function loadCipher(name: Cipher, chacha: HopCipher): Promise<DataCipher> {
  switch (name) {
    case "aes-256-gcm":
      return aesGcm
    case "chacha20-poly1305":
      return chacha20Poly1305(chacha)
    case "aes-256-gcm-siv":
      return (await import("./aes-gcm-siv.ts")).aesGcmSiv
  }
}
