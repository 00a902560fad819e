import { equalSecretBytes } from "../shared/bytes.ts"

/** A number modulo the group's order, in its canonical encoding (`scalarBytes` bytes). Secret unless stated otherwise. */
export type Scalar = Uint8Array & { readonly __brand: "Scalar" }

/** A group element in its canonical encoding (`elementBytes` bytes); equal elements have equal bytes. */
export type Element = Uint8Array & { readonly __brand: "Element" }

/** Why bytes from a peer are not a usable element. */
export type Rejection = { readonly rejected: "length" | "non-canonical" | "identity" }

/** Bytes of uniform randomness behind each random scalar. */
export const RANDOM_BYTES = 64

/**
 * A cyclic group of prime order `q` with generator `g`, written additively: the papers' "exponentiation" is `multiply`.
 * Prime order spares every cofactor case; scalars have inverses (GDH needs them) and elements subtract (BD needs it).
 *
 * Pure and synchronous. No function writes to its arguments; results are fresh buffers, which the caller owns and may
 * overwrite. Only `decode`, `addEncoded` and `multiplyEncoded` take bytes that a peer made; the others rely on the brands.
 */
export interface PrimeOrderGroup {
  readonly name: string
  readonly elementBytes: number
  readonly scalarBytes: number
  /** Wide reduction of `RANDOM_BYTES` uniform bytes; never zero. @throws KeyAgreementError `bad-input` on another length, or on bytes that reduce to zero, which uniform ones do not. */
  randomScalar(random: Uint8Array): Scalar
  /** `g · s`. */
  multiplyBase(s: Scalar): Element
  /** `e · s`: one exponentiation of the cost model. */
  multiply(e: Element, s: Scalar): Element
  /** `e · s` where a peer made `e`: multiplying decodes in any case, so it checks as well. Rejects what `decode` rejects. `s` is not zero. */
  multiplyEncoded(e: Uint8Array, s: Scalar): Element | Rejection
  add(a: Element, b: Element): Element
  /** `a + b` where a peer made `b`: adding decodes in any case, so it checks as well. Takes the identity, unlike `decode`, and rejects what `decode` otherwise rejects. */
  addEncoded(a: Element, b: Uint8Array): Element | Rejection
  subtract(a: Element, b: Element): Element
  /** @throws KeyAgreementError `bad-input` on zero. */
  invert(s: Scalar): Scalar
  multiplyScalars(a: Scalar, b: Scalar): Scalar
  /** Reduces `a` if it is not reduced and `b` is zero, as `isCanonicalScalar` expects. */
  addScalars(a: Scalar, b: Scalar): Scalar
  subtractScalars(a: Scalar, b: Scalar): Scalar
  /** The next exponent out of a shared element: SHA-512 over domain and element, reduced; never zero. */
  hashToScalar(domain: string, e: Element): Scalar
  /** Rejects the identity and every non-canonical encoding. */
  decode(bytes: Uint8Array): Element | Rejection
}

export function isRejection(decoded: Element | Rejection): decoded is Rejection {
  return "rejected" in decoded
}

/** Whether bytes from a peer, `scalarBytes` of them, are a reduced scalar; zero is one. In constant time. */
export function isCanonicalScalar(group: PrimeOrderGroup, bytes: Uint8Array): bytes is Scalar {
  const reduced = group.addScalars(bytes as Scalar, new Uint8Array(group.scalarBytes) as Scalar)
  const isCanonical = equalSecretBytes(reduced, bytes)
  reduced.fill(0)
  return isCanonical
}
