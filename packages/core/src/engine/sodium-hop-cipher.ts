import type { HopCipher } from "@keymoot/transport"
import { assert } from "../wire/index.ts"

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Of the piece of memory that every call writes its key, nonce and header to, then its text. */
const [KEY, NONCE, HEADER] = [0, 32, 48]
/** Most frames fit; a larger one makes it larger. */
const SCRATCH_BYTES = 40_000

/**
 * libsodium as it was compiled, of which its wrapper exports no type: the version is pinned, and a test compares with another
 * implementation. Arguments are addresses and lengths; each length has a second word, which is 0 here.
 */
type SodiumModule = {
  /** Another one after the memory has grown. */
  readonly HEAPU8: Uint8Array
  readonly _malloc: (bytes: number) => number
  readonly _free: (address: number) => void
  readonly _crypto_aead_chacha20poly1305_ietf_encrypt: (...args: readonly number[]) => number
  readonly _crypto_aead_chacha20poly1305_ietf_decrypt: (...args: readonly number[]) => number
}

/**
 * ChaCha20-Poly1305 of libsodium, where WebAssembly is allowed. The wrapper's own functions allocate anew for each argument
 * and copy twice as often; of a short frame that is half of what it costs.
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

  /** Where the text is now; it is sealed and opened in place. */
  const put = (key: Uint8Array, nonce: Uint8Array, header: Uint8Array, text: Uint8Array): number => {
    // Nothing looks at them behind this: a longer one would be read as what stands after it.
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
