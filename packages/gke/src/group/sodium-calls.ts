import { unreachable } from "../shared/errors.ts"
import { copySecret } from "../shared/bytes.ts"

/** Most that one call takes and gives: a seed, and the key pair of ML-KEM-768 made from it, need 3,648. */
const SCRATCH_BYTES = 4096

/** libsodium as it was compiled, of which its wrapper exports no type. Arguments are addresses and lengths; -1 is a refusal. */
export type SodiumModule = {
  /** Another one after the memory has grown. */
  readonly HEAPU8: Uint8Array
  readonly _malloc: (bytes: number) => number
}

/** A function of libsodium's: `result` and the inputs are addresses. It reads as many bytes as it likes from each. */
export type Compiled = (result: number, ...inputs: number[]) => number | void

/** Calls a function with inputs and gives its result, which is the caller's; null if libsodium refuses. */
export type SodiumCall = (
  compiled: Compiled,
  resultBytes: number,
  ...inputs: readonly Uint8Array[]
) => Uint8Array | null

/** The module behind libsodium's wrapper, once that is ready. */
export async function loadSodium<Module extends SodiumModule>(): Promise<Module> {
  const { default: wrapper } = await import("libsodium-wrappers-sumo")
  await wrapper.ready
  return (wrapper as unknown as { readonly libsodium: Module }).libsodium
}

/**
 * Calls libsodium's functions on memory that is overwritten afterwards. Its wrapper frees its copies of inputs and
 * outputs without overwriting them. Secrets of former epochs would stay in the WebAssembly memory until it is reused.
 */
export function createSodiumCalls(sodium: SodiumModule): SodiumCall {
  const scratch = sodium._malloc(SCRATCH_BYTES)
  if (scratch === 0) unreachable("WebAssembly has no memory left")
  return (compiled, resultBytes, ...inputs) => {
    const bytes = inputs.reduce((sum, { length }) => sum + length, resultBytes)
    if (bytes > SCRATCH_BYTES) unreachable("libsodium was given more than any caller has")
    let next = scratch + resultBytes
    const addresses = inputs.map((input) => {
      const address = next
      sodium.HEAPU8.set(input, address)
      next += input.length
      return address
    })
    const refused = compiled(scratch, ...addresses) === -1
    const result = refused ? null : copySecret(sodium.HEAPU8.subarray(scratch, scratch + resultBytes))
    sodium.HEAPU8.fill(0, scratch, scratch + bytes)
    return result
  }
}
