import { concatBytes } from "@noble/hashes/utils.js"
import type { NodeCrypto } from "../platform/node-crypto.ts"
import { type Aead, AEAD_TAG_BYTES } from "./aead.ts"

const OPTIONS = { authTagLength: AEAD_TAG_BYTES } as const

/**
 * AES-256-GCM of Node. It has a file of its own because the public types refer to `aes-gcm.ts`, and must compile
 * without those of Node.
 */
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
