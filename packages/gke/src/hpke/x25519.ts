import { isWebAssemblyAllowed } from "../web-assembly.ts"

/** X25519 (RFC 7748) as HPKE needs it. Synchronous; keys have 32 bytes. */
export interface X25519 {
  publicKey(secret: Uint8Array): Uint8Array
  /** The shared point, which the caller overwrites; null where it is zero (a point of small order: RFC 9180 section 7.1.4 refuses it). */
  shared(secret: Uint8Array, theirs: Uint8Array): Uint8Array | null
}

export const X25519_BYTES = 32

/** The functions of `libsodium-wrappers-sumo` that X25519 needs; the module itself fits once `ready` has resolved. */
export type SodiumX25519 = {
  crypto_scalarmult(secret: Uint8Array, theirs: Uint8Array): Uint8Array
  crypto_scalarmult_base(secret: Uint8Array): Uint8Array
}

/** X25519 over libsodium, which is 5 to 10 times faster than JavaScript. */
export function createSodiumX25519(sodium: SodiumX25519): X25519 {
  return {
    publicKey: (secret) => sodium.crypto_scalarmult_base(secret),
    shared(secret, theirs) {
      try {
        return sodium.crypto_scalarmult(secret, theirs)
      } catch {
        // libsodium's only complaint about 32 and 32 bytes: the result is zero.
        return null
      }
    },
  }
}

/** Loads libsodium's WebAssembly (browser and Node) and gives X25519 over it. */
export async function loadSodiumX25519(): Promise<X25519> {
  const { default: sodium } = await import("libsodium-wrappers-sumo")
  await sodium.ready
  return createSodiumX25519(sodium)
}

/** X25519 over libsodium's WebAssembly, or over noble where that is forbidden; of the two only the one used is loaded. */
export async function loadX25519(): Promise<X25519> {
  if (isWebAssemblyAllowed()) return loadSodiumX25519()
  const { nobleX25519 } = await import("./noble-x25519.ts")
  return nobleX25519
}
