/** AES-256-GCM (NIST SP 800-38D) of Node or WebCrypto. */
import { nodeCrypto } from "../platform/node-crypto.ts"
import { bufferSource } from "../wire/index.ts"
import type { Aead, DataCipher } from "./aead.ts"
import { nodeAesGcm } from "./node-aes-gcm.ts"

/** Node's cipher is synchronous: short batches need no promises. */
export const aesGcm: DataCipher = {
  name: "aes-256-gcm",
  create: (key) => {
    const node = nodeCrypto()
    return node ? nodeAesGcm(node, key) : webAesGcm(key)
  },
}

export function webAesGcm(bytes: Uint8Array): Aead {
  return aesGcmUnder(crypto.subtle.importKey("raw", bufferSource(bytes), "AES-GCM", false, ["encrypt", "decrypt"]))
}

/** @param key of AES-GCM, for encryption and decryption */
export function aesGcmUnder(key: CryptoKey | Promise<CryptoKey>): Aead {
  const parameters = (nonce: Uint8Array, associatedData: Uint8Array): AesGcmParams => {
    return { name: "AES-GCM", iv: bufferSource(nonce), additionalData: bufferSource(associatedData) }
  }
  return {
    seal: async (nonce, associatedData, plaintext) => {
      const encrypting = parameters(nonce, associatedData)
      return new Uint8Array(await crypto.subtle.encrypt(encrypting, await key, bufferSource(plaintext)))
    },
    open: async (nonce, associatedData, ciphertext) => {
      const imported = await key
      try {
        const decrypting = parameters(nonce, associatedData)
        return new Uint8Array(await crypto.subtle.decrypt(decrypting, imported, bufferSource(ciphertext)))
      } catch {
        return null
      }
    },
    // The key is not extractable, and the browser owns its bytes.
    erase: () => {},
  }
}
