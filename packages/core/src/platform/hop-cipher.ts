/** The fastest available ChaCha20-Poly1305: Node's own, libsodium's in WebAssembly, or noble's. */
import { isWebAssemblyAllowed } from "@keymoot/gke"
import { nobleHopCipher, type HopCipher } from "@keymoot/transport"
import { nodeCrypto } from "./node-crypto.ts"
import { sodiumHopCipher } from "./sodium-hop-cipher.ts"

const TAG_BYTES = 16
const OPTIONS = { authTagLength: TAG_BYTES } as const

type KeyObject = import("node:crypto").KeyObject

export async function loadHopCipher(): Promise<HopCipher> {
  return nodeHopCipher() ?? (isWebAssemblyAllowed() ? sodiumHopCipher() : nobleHopCipher)
}

/** Null outside Node. */
export function nodeHopCipher(): HopCipher | null {
  const crypto = nodeCrypto()
  if (!crypto) return null
  // Cache of imported keys. Importing a key from bytes takes longer than encrypting a small frame.
  const keys = new WeakMap<Uint8Array, KeyObject>()
  const keyOf = (bytes: Uint8Array): KeyObject => {
    const known = keys.get(bytes)
    if (known) return known
    const key = crypto.createSecretKey(bytes)
    keys.set(bytes, key)
    return key
  }
  return {
    seal: (key, nonce, header, plain, sealed) => {
      const cipher = crypto.createCipheriv("chacha20-poly1305", keyOf(key), nonce, OPTIONS)
      cipher.setAAD(header, { plaintextLength: plain.length })
      sealed.set(cipher.update(plain))
      cipher.final()
      sealed.set(cipher.getAuthTag(), plain.length)
    },
    open: (key, nonce, header, sealed) => {
      const length = sealed.length - TAG_BYTES
      if (length < 0) return null
      const decipher = crypto.createDecipheriv("chacha20-poly1305", keyOf(key), nonce, OPTIONS)
      decipher.setAAD(header, { plaintextLength: length })
      decipher.setAuthTag(sealed.subarray(length))
      const plain = decipher.update(sealed.subarray(0, length))
      try {
        decipher.final()
        return new Uint8Array(plain.buffer, plain.byteOffset, plain.length)
      } catch {
        return null
      }
    },
  }
}
