import { isZero } from "../shared/bytes.ts"
import { KeyAgreementError, unreachable } from "../shared/errors.ts"
import { scalarHashInput } from "./hash-to-scalar.ts"
import { type Compiled, createSodiumCalls, loadSodium, type SodiumModule } from "./sodium-calls.ts"
import { RANDOM_BYTES, type Element, type PrimeOrderGroup, type Scalar } from "./prime-order-group.ts"
import { isWebAssemblyAllowed } from "../shared/web-assembly.ts"

/** The functions of libsodium that ristretto255 (RFC 9496) and hashing to it need, as they were compiled. */
type SodiumRistretto = SodiumModule & {
  readonly _crypto_core_ristretto255_is_valid_point: (point: number) => number
  readonly _crypto_hash_sha512: (hash: number, message: number, bytes: number, bytesHigh: 0) => number
} & Record<`_crypto_core_ristretto255_${Operation}` | `_crypto_scalarmult_ristretto255${"" | "_base"}`, Compiled>
type Operation = "add" | "sub" | `scalar_${"add" | "sub" | "mul" | "invert" | "reduce"}`

const ELEMENT_BYTES = 32
const SCALAR_BYTES = 32
const SHA512_BYTES = 64

/** ristretto255 over libsodium. */
function createSodiumGroup(sodium: SodiumRistretto): PrimeOrderGroup {
  const call = createSodiumCalls(sodium)
  /** Operation on scalars and elements. Null for an invalid element, and if the result is the identity. */
  const compute = (compiled: Compiled, ...inputs: readonly Uint8Array[]): Uint8Array | null => {
    // libsodium does not check lengths: a shorter input would be read beyond its end.
    if (inputs.some(({ length }) => length !== ELEMENT_BYTES)) unreachable("scalars and elements have 32 bytes")
    return call(compiled, ELEMENT_BYTES, ...inputs)
  }
  const computed = (...args: Parameters<typeof compute>): Uint8Array =>
    compute(...args) ?? unreachable("it is an element")
  const reduce = (wide: Uint8Array): Scalar =>
    call(sodium._crypto_core_ristretto255_scalar_reduce, SCALAR_BYTES, wide) as Scalar
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
    multiplyBase: (s) =>
      isZero(s) ? identity() : (computed(sodium._crypto_scalarmult_ristretto255_base, s) as Element),
    multiply: (e, s) =>
      isZero(s) || isZero(e) ? identity() : (computed(sodium._crypto_scalarmult_ristretto255, s, e) as Element),
    multiplyEncoded(e, s) {
      if (e.length !== ELEMENT_BYTES) return { rejected: "length" }
      if (isZero(e)) return { rejected: "identity" }
      // The product of no zero and no identity is none either, so what libsodium refuses is the encoding.
      const product = compute(sodium._crypto_scalarmult_ristretto255, s, e)
      return product ? (product as Element) : { rejected: "non-canonical" }
    },
    add: (a, b) => computed(sodium._crypto_core_ristretto255_add, a, b) as Element,
    addEncoded(a, b) {
      if (b.length !== ELEMENT_BYTES) return { rejected: "length" }
      const sum = compute(sodium._crypto_core_ristretto255_add, a, b)
      return sum ? (sum as Element) : { rejected: "non-canonical" }
    },
    subtract: (a, b) => computed(sodium._crypto_core_ristretto255_sub, a, b) as Element,
    invert(s) {
      if (isZero(s)) throw new KeyAgreementError("bad-input", "zero has no inverse")
      return computed(sodium._crypto_core_ristretto255_scalar_invert, s) as Scalar
    },
    multiplyScalars: (a, b) => computed(sodium._crypto_core_ristretto255_scalar_mul, a, b) as Scalar,
    addScalars: (a, b) => computed(sodium._crypto_core_ristretto255_scalar_add, a, b) as Scalar,
    subtractScalars: (a, b) => computed(sodium._crypto_core_ristretto255_scalar_sub, a, b) as Scalar,
    hashToScalar(domain, e) {
      const input = scalarHashInput(domain, e)
      const sha512: Compiled = (hash, message) => sodium._crypto_hash_sha512(hash, message!, input.length, 0)
      const wide = call(sha512, SHA512_BYTES, input)!
      const scalar = reduce(wide)
      input.fill(0)
      wide.fill(0)
      return isZero(scalar) ? unreachable("SHA-512 hit a multiple of the group order") : scalar
    },
    decode(bytes) {
      if (bytes.length !== ELEMENT_BYTES) return { rejected: "length" }
      // libsodium counts the identity, whose encoding is all zeros, among the valid points.
      if (isZero(bytes)) return { rejected: "identity" }
      const check: Compiled = (_, point) => sodium._crypto_core_ristretto255_is_valid_point(point!) - 1
      return call(check, 0, bytes) ? (bytes.slice() as Element) : { rejected: "non-canonical" }
    },
  }
}

/** Loads libsodium's WebAssembly (browser and Node) and gives the group over it. */
export async function loadSodiumGroup(): Promise<PrimeOrderGroup> {
  return createSodiumGroup(await loadSodium<SodiumRistretto>())
}

function identity(): Element {
  return new Uint8Array(ELEMENT_BYTES) as Element
}

/** ristretto255 over libsodium's WebAssembly, or over noble where that is forbidden; of the two only the one used is loaded. */
export async function loadGroup(): Promise<PrimeOrderGroup> {
  if (isWebAssemblyAllowed()) return loadSodiumGroup()
  const { nobleGroup } = await import("./noble.ts")
  return nobleGroup
}
