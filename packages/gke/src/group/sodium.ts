import { isZero } from "../bytes.ts"
import { KeyAgreementError, unreachable } from "../errors.ts"
import { scalarHashInput } from "./hash-to-scalar.ts"
import { RANDOM_BYTES } from "./prime-order-group.ts"
import type { Element, PrimeOrderGroup, Scalar } from "./prime-order-group.ts"

/** The functions of `libsodium-wrappers-sumo` that ristretto255 (RFC 9496) and hashing to it need; the module itself fits once `ready` has resolved. */
export type SodiumRistretto = {
  crypto_core_ristretto255_is_valid_point(bytes: Uint8Array): boolean
  crypto_core_ristretto255_add(a: Uint8Array, b: Uint8Array): Uint8Array
  crypto_core_ristretto255_sub(a: Uint8Array, b: Uint8Array): Uint8Array
  crypto_core_ristretto255_scalar_reduce(wide: Uint8Array): Uint8Array
  crypto_core_ristretto255_scalar_invert(s: Uint8Array): Uint8Array
  crypto_core_ristretto255_scalar_mul(a: Uint8Array, b: Uint8Array): Uint8Array
  crypto_core_ristretto255_scalar_add(a: Uint8Array, b: Uint8Array): Uint8Array
  crypto_core_ristretto255_scalar_sub(a: Uint8Array, b: Uint8Array): Uint8Array
  crypto_scalarmult_ristretto255(s: Uint8Array, e: Uint8Array): Uint8Array
  crypto_scalarmult_ristretto255_base(s: Uint8Array): Uint8Array
  /** Gives a buffer of its own, as the others do. */
  crypto_hash_sha512(message: Uint8Array): Uint8Array
}

const ELEMENT_BYTES = 32
const SCALAR_BYTES = 32

/**
 * ristretto255 over libsodium.
 *
 * @param sodium the module, ready: `await sodium.ready` is the caller's (or `loadGroup`'s) work, since nothing here waits.
 */
export function createSodiumGroup(sodium: SodiumRistretto): PrimeOrderGroup {
  const reduce = (wide: Uint8Array): Scalar => sodium.crypto_core_ristretto255_scalar_reduce(wide) as Scalar
  return {
    name: "ristretto255",
    elementBytes: ELEMENT_BYTES,
    scalarBytes: SCALAR_BYTES,
    randomScalar(random) {
      if (random.length !== RANDOM_BYTES) throw new KeyAgreementError("bad-input", `give ${RANDOM_BYTES} random bytes`)
      const scalar = reduce(random)
      if (isZero(scalar)) throw new KeyAgreementError("bad-input", "the random bytes are not random")
      return scalar
    },
    // libsodium refuses to return the identity; in a group that is a result like any other.
    multiplyBase: (s) => (isZero(s) ? identity() : (sodium.crypto_scalarmult_ristretto255_base(s) as Element)),
    multiply: (e, s) =>
      isZero(s) || isZero(e) ? identity() : (sodium.crypto_scalarmult_ristretto255(s, e) as Element),
    multiplyEncoded(e, s) {
      if (e.length !== ELEMENT_BYTES) return { rejected: "length" }
      if (isZero(e)) return { rejected: "identity" }
      try {
        return sodium.crypto_scalarmult_ristretto255(s, e) as Element
      } catch {
        // The product of no zero and no identity is none either, so what libsodium complains about is the encoding.
        return { rejected: "non-canonical" }
      }
    },
    add: (a, b) => sodium.crypto_core_ristretto255_add(a, b) as Element,
    addEncoded(a, b) {
      if (b.length !== ELEMENT_BYTES) return { rejected: "length" }
      try {
        return sodium.crypto_core_ristretto255_add(a, b) as Element
      } catch {
        // libsodium's only complaint about 32 and 32 bytes: one of them is no element.
        return { rejected: "non-canonical" }
      }
    },
    subtract: (a, b) => sodium.crypto_core_ristretto255_sub(a, b) as Element,
    invert(s) {
      if (isZero(s)) throw new KeyAgreementError("bad-input", "zero has no inverse")
      return sodium.crypto_core_ristretto255_scalar_invert(s) as Scalar
    },
    multiplyScalars: (a, b) => sodium.crypto_core_ristretto255_scalar_mul(a, b) as Scalar,
    addScalars: (a, b) => sodium.crypto_core_ristretto255_scalar_add(a, b) as Scalar,
    subtractScalars: (a, b) => sodium.crypto_core_ristretto255_scalar_sub(a, b) as Scalar,
    hashToScalar(domain, e) {
      const input = scalarHashInput(domain, e)
      const wide = sodium.crypto_hash_sha512(input)
      const scalar = reduce(wide)
      input.fill(0)
      wide.fill(0)
      return isZero(scalar) ? unreachable("SHA-512 hit a multiple of the group order") : scalar
    },
    decode(bytes) {
      if (bytes.length !== ELEMENT_BYTES) return { rejected: "length" }
      // libsodium counts the identity, whose encoding is all zeros, among the valid points.
      if (isZero(bytes)) return { rejected: "identity" }
      if (!sodium.crypto_core_ristretto255_is_valid_point(bytes)) return { rejected: "non-canonical" }
      return bytes.slice() as Element
    },
  }
}

/** Loads libsodium's WebAssembly (browser and Node) and gives the group over it. */
export async function loadSodiumGroup(): Promise<PrimeOrderGroup> {
  const { default: sodium } = await import("libsodium-wrappers-sumo")
  await sodium.ready
  return createSodiumGroup(sodium)
}

function identity(): Element {
  return new Uint8Array(ELEMENT_BYTES) as Element
}
