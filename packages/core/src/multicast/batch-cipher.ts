import { concatBytes } from "@noble/hashes/utils.js"

import { nodeCrypto, type NodeCrypto } from "../platform/node-crypto.ts"
import { bufferSource } from "../wire/index.ts"

const TAG_BYTES = 16
const OPTIONS = { authTagLength: TAG_BYTES } as const

/** AES-256-GCM under one key. Nonces have 12 bytes. */
export type BatchCipher = {
  /** Returns ciphertext and tag. */
  seal(nonce: Uint8Array, associatedData: Uint8Array, plaintext: Uint8Array): Uint8Array | Promise<Uint8Array>
  /** Returns null unless it was sealed with these inputs. */
  open(
    nonce: Uint8Array,
    associatedData: Uint8Array,
    ciphertext: Uint8Array,
  ): Uint8Array | null | Promise<Uint8Array | null>
}

/** Returns the fastest available cipher. @param key 32 bytes. Overwritten. */
export function createBatchCipher(key: Uint8Array): BatchCipher {
  const node = nodeCrypto()
  const cipher = node ? nodeBatchCipher(node, key) : webBatchCipher(key)
  // Both have copied it by now.
  key.fill(0)
  return cipher
}

export function webBatchCipher(bytes: Uint8Array): BatchCipher {
  return cipherUnder(crypto.subtle.importKey("raw", bufferSource(bytes), "AES-GCM", false, ["encrypt", "decrypt"]))
}

/** @param key of AES-GCM, for encryption and decryption */
export function cipherUnder(key: CryptoKey | Promise<CryptoKey>): BatchCipher {
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
  }
}

export function nodeBatchCipher(node: NodeCrypto, bytes: Uint8Array): BatchCipher {
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
      const length = ciphertext.length - TAG_BYTES
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
  }
}
