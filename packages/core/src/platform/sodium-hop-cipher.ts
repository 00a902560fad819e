import type { HopCipher } from "@keymoot/transport"
import { assert } from "../wire/index.ts"

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Offsets in the scratch memory of key, nonce and header; the text follows. */
const [KEY, NONCE, HEADER] = [0, 32, 48]
/** Initial scratch size, which fits most frames. A larger frame enlarges it. */
const SCRATCH_BYTES = 40_000

/**
 * Type of the compiled libsodium, which its wrapper does not export. The version is pinned, and a test compares it with
 * another implementation. Arguments are addresses and lengths. Each length has a second word, which is 0 here.
 */
type SodiumModule = {
  /** A new array after the memory has grown. */
  readonly HEAPU8: Uint8Array
  readonly _malloc: (bytes: number) => number
  readonly _free: (address: number) => void
  readonly _crypto_aead_chacha20poly1305_ietf_encrypt: (...args: readonly number[]) => number
  readonly _crypto_aead_chacha20poly1305_ietf_decrypt: (...args: readonly number[]) => number
}

/**
 * ChaCha20-Poly1305 of libsodium, if WebAssembly is allowed. The wrapper's own functions allocate for each argument and
 * copy twice as often, which is half of the cost of a short frame.
 */
export async function sodiumHopCipher(): Promise<HopCipher> {
  const { default: wrapper } = await import("libsodium-wrappers-sumo")
  await wrapper.ready
  const { libsodium: sodium } = wrapper as unknown as { readonly libsodium: SodiumModule }
  const allocate = (bytes: number): number => {
    const address = sodium._malloc(bytes)
    assert(address !== 0, "WebAssembly has memory left")
    return address
  }
  let room = SCRATCH_BYTES
  let scratch = allocate(room)

  /** Returns the text's address. It is encrypted and decrypted in place. */
  const put = (key: Uint8Array, nonce: Uint8Array, header: Uint8Array, text: Uint8Array): number => {
    // The compiled code does not check lengths. A longer key or nonce would overwrite what follows it.
    assert(key.length === KEY_BYTES && nonce.length === NONCE_BYTES, "a key has 32 bytes and a nonce 12")
    const needed = HEADER + header.length + text.length + TAG_BYTES
    if (needed > room) {
      const larger = allocate(needed)
      sodium._free(scratch)
      scratch = larger
      room = needed
    }
    const at = scratch + HEADER + header.length
    sodium.HEAPU8.set(key, scratch + KEY)
    sodium.HEAPU8.set(nonce, scratch + NONCE)
    sodium.HEAPU8.set(header, scratch + HEADER)
    sodium.HEAPU8.set(text, at)
    return at
  }
  const forgetKey = (): void => void sodium.HEAPU8.fill(0, scratch + KEY, scratch + NONCE)

  return {
    seal: (key, nonce, header, plain, sealed) => {
      const at = put(key, nonce, header, plain)
      const associated = [scratch + HEADER, header.length, 0] as const
      // prettier-ignore
      sodium._crypto_aead_chacha20poly1305_ietf_encrypt(at, 0, at, plain.length, 0, ...associated, 0, scratch + NONCE, scratch + KEY)
      forgetKey()
      sealed.set(sodium.HEAPU8.subarray(at, at + plain.length + TAG_BYTES))
    },
    open: (key, nonce, header, sealed) => {
      if (sealed.length < TAG_BYTES) return null
      const at = put(key, nonce, header, sealed)
      const associated = [scratch + HEADER, header.length, 0] as const
      // prettier-ignore
      const failed = sodium._crypto_aead_chacha20poly1305_ietf_decrypt(at, 0, 0, at, sealed.length, 0, ...associated, scratch + NONCE, scratch + KEY)
      forgetKey()
      return failed === 0 ? sodium.HEAPU8.subarray(at, at + sealed.length - TAG_BYTES) : null
    },
  }
}
