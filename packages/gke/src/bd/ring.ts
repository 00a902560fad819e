/**
 * The arithmetic of BD (section 4.5 of "On the performance of group key agreement protocols"), written additively. Members
 * sit in a ring, in the order of their ids; each has a share r and publishes Z = g·r. Neighbours i and i+1 share
 * s_i = g·(r_i r_{i+1}); X_i = s_i - s_{i-1} = (Z_{i+1} - Z_{i-1})·r_i; the secret is the sum of all s.
 */
import { equalBytes, equalSecretBytes } from "../shared/bytes.ts"
import { copySecret } from "../shared/bytes.ts"
import { type Element, isRejection, type PrimeOrderGroup, type Scalar } from "../group/prime-order-group.ts"

/** X of the member at `position` in a ring of at least three. `shares`: all Z. It may honestly be the identity: an insider can copy a Z. */
export function differenceAt(
  group: PrimeOrderGroup,
  shares: readonly Element[],
  position: number,
  share: Scalar,
): Element {
  const [before, after] = [at(shares, position - 1), at(shares, position + 1)]
  return group.multiply(group.subtract(after, before), share)
}

/** The key that two members share: plain Diffie-Hellman. */
export function sharedByTwo(group: PrimeOrderGroup, other: Element, share: Scalar): Element {
  return group.multiply(other, share)
}

/**
 * The sum of all s. `wrong`: the sum of all X is not zero, so at least one X is wrong; `malformed`: one of them is
 * no element. The paper's n-1 exponentiations with small exponents are two running sums here, 2n additions.
 *
 * @param differences all X as their owners sent them, unchecked: a check of its own would cost a third of an addition. The identity
 *   is an element here.
 * @returns a sum, which the caller overwrites
 */
export function sumOfKeys(
  group: PrimeOrderGroup,
  shares: readonly Element[],
  differences: readonly Uint8Array[],
  position: number,
  share: Scalar,
): Element | "wrong" | "malformed" {
  const first = group.multiply(at(shares, position - 1), share)
  let key = copySecret(first)
  let sum = copySecret(first)
  const end = (result: "wrong" | "malformed" | null): Element | "wrong" | "malformed" => {
    for (const secret of result ? [first, key, sum] : [first, key]) secret.fill(0)
    return result ?? sum
  }
  for (let step = 0; step < shares.length; step++) {
    const next = group.addEncoded(key, at(differences, position + step))
    if (isRejection(next)) return end("malformed")
    key.fill(0)
    key = next
    // The last step leads back to where the first one started.
    if (step === shares.length - 1) break
    const more = group.add(sum, key)
    sum.fill(0)
    sum = more
  }
  return end(equalSecretBytes(key, first) ? null : "wrong")
}

/** Whether an opened share is the one behind Z and X at that position. `share` must be canonical. */
export function explains(
  group: PrimeOrderGroup,
  shares: readonly Element[],
  differences: readonly Uint8Array[],
  position: number,
  share: Scalar,
): boolean {
  const [before, own, after] = [at(shares, position - 1), at(shares, position), at(shares, position + 1)]
  if (!equalBytes(group.multiplyBase(share), own)) return false
  return equalBytes(group.multiply(group.subtract(after, before), share), at(differences, position))
}

/** Whether these bytes are an X at all. */
export function isDifference(group: PrimeOrderGroup, bytes: Uint8Array): boolean {
  const decoded = group.decode(bytes)
  return !isRejection(decoded) || decoded.rejected === "identity"
}

function at<T>(ring: readonly T[], position: number): T {
  return ring[(position + ring.length) % ring.length]!
}
