import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * Runs `work` with a `crypto.getRandomValues` that returns the same bytes at each run. Everything that this program
 * draws comes from there. The work must draw in one order: nothing else may run at the same time.
 */
export async function withFixedRandomness<T>(seed: string, work: () => Promise<T>): Promise<T> {
  let drawn = 0
  const fill = <A extends ArrayBufferView>(array: A): A => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let at = 0; at < bytes.length; at += 32) {
      const block = sha256(utf8ToBytes(`${seed} ${drawn++}`))
      bytes.set(block.subarray(0, Math.min(32, bytes.length - at)), at)
    }
    return array
  }
  Object.defineProperty(crypto, "getRandomValues", { value: fill, configurable: true })
  try {
    return await work()
  } finally {
    Reflect.deleteProperty(crypto, "getRandomValues")
  }
}

/** 32 bytes that belong to a name. */
export function fixedBytes(name: string, length = 32): Uint8Array {
  return sha256(utf8ToBytes(`keymoot vectors: ${name}`)).subarray(0, length)
}
