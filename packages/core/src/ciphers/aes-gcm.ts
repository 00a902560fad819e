/** AES-256-GCM (NIST SP 800-38D) of Node or WebCrypto. */
import { concatBytes } from "@noble/hashes/utils.js"
import { nodeCrypto, type NodeCrypto } from "../platform/node-crypto.ts"
import { bufferSource } from "../wire/index.ts"
import { type Aead, AEAD_TAG_BYTES, type DataCipher } from "./aead.ts"

const OPTIONS = { authTagLength: AEAD_TAG_BYTES } as const

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

export function nodeAesGcm(node: NodeCrypto, bytes: Uint8Array): Aead {
  const key = node.createSecretKey(bytes)
  return {
    seal: (nonce, associatedData, plaintext) => {
      const cipher = node.createCipheriv("aes-256-gcm", key, nonce, OPTIONS)
      cipher.setAAD(associatedData)
      const sealed = cipher.update(plaintext)
      cipher.final()
      return concatBytes(sealed, cipher.getAuthTag())
    },
    open: (nonce, associatedData, ciphertext) => {
      const length = ciphertext.length - AEAD_TAG_BYTES
      if (length < 0) return null
      const decipher = node.createDecipheriv("aes-256-gcm", key, nonce, OPTIONS)
      decipher.setAAD(associatedData)
      decipher.setAuthTag(ciphertext.subarray(length))
      const plaintext = decipher.update(ciphertext.subarray(0, length))
      try {
        decipher.final()
        return new Uint8Array(plaintext.buffer, plaintext.byteOffset, plaintext.length)
      } catch {
        return null
      }
    },
    erase: () => {},
  }
}
