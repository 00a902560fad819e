import { requireLength } from "../shared/bytes.ts"
import { type Compiled, createSodiumCalls, loadSodium, type SodiumModule } from "../group/sodium-calls.ts"
import { isWebAssemblyAllowed } from "../shared/web-assembly.ts"

/** X25519 (RFC 7748) as HPKE needs it. Synchronous; keys have 32 bytes. */
export interface X25519 {
  publicKey(secret: Uint8Array): Uint8Array
  /** The shared point, which the caller overwrites; null where it is zero (a point of small order: RFC 9180 section 7.1.4 refuses it). */
  shared(secret: Uint8Array, theirs: Uint8Array): Uint8Array | null
}

export const X25519_BYTES = 32

/** The functions of libsodium that X25519 needs, as they were compiled. */
type SodiumX25519 = SodiumModule & Record<`_crypto_scalarmult${"" | "_base"}`, Compiled>

/** X25519 over libsodium, which is 5 to 10 times faster than JavaScript. */
function createSodiumX25519(sodium: SodiumX25519): X25519 {
  const call = createSodiumCalls(sodium)
  const compute = (compiled: Compiled, ...inputs: readonly Uint8Array[]): Uint8Array | null => {
    for (const input of inputs) requireLength("a key", input, X25519_BYTES)
    return call(compiled, X25519_BYTES, ...inputs)
  }
  return {
    publicKey: (secret) => compute(sodium._crypto_scalarmult_base, secret)!,
    // libsodium's only complaint: the result is zero.
    shared: (secret, theirs) => compute(sodium._crypto_scalarmult, secret, theirs),
  }
}

/** Loads libsodium's WebAssembly (browser and Node) and gives X25519 over it. */
export async function loadSodiumX25519(): Promise<X25519> {
  return createSodiumX25519(await loadSodium<SodiumX25519>())
}

/** X25519 over libsodium's WebAssembly, or over noble where that is forbidden; of the two only the one used is loaded. */
export async function loadX25519(): Promise<X25519> {
  if (isWebAssemblyAllowed()) return loadSodiumX25519()
  const { nobleX25519 } = await import("./noble-x25519.ts")
  return nobleX25519
}
