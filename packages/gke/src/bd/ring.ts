/**
 * The arithmetic of BD (section 4.5 of "On the performance of group key agreement protocols"), written additively. Members
 * sit in a ring, in the order of their ids; each has a share r and publishes Z = g·r. Neighbours i and i+1 share
 * s_i = g·(r_i r_{i+1}); X_i = s_i - s_{i-1} = (Z_{i+1} - Z_{i-1})·r_i; the secret is the sum of all s.
 */
import { equalBytes, equalSecretBytes } from "../bytes.ts"
import { isRejection } from "../group/prime-order-group.ts"
import type { Element, PrimeOrderGroup, Scalar } from "../group/prime-order-group.ts"

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

/** What two members share: plain Diffie-Hellman. */
export function sharedByTwo(group: PrimeOrderGroup, other: Element, share: Scalar): Element {
  return group.multiply(other, share)
}

/**
 * The sum of all s, or null if the sum of all X is not zero: then somebody's is wrong. The paper's n-1 exponentiations with
 * small exponents are two running sums here, 2n additions. The caller overwrites the result.
 */
export function sumOfKeys(
  group: PrimeOrderGroup,
  shares: readonly Element[],
  differences: readonly Element[],
  position: number,
  share: Scalar,
): Element | null {
  const first = group.multiply(at(shares, position - 1), share)
  let key = first.slice() as Element
  let sum = first.slice() as Element
  for (let step = 0; step < shares.length; step++) {
    const next = group.add(key, at(differences, position + step))
    key.fill(0)
    key = next
    // The last step leads back to where the first one started.
    if (step === shares.length - 1) break
    const more = group.add(sum, key)
    sum.fill(0)
    sum = more
  }
  const isClosed = equalSecretBytes(key, first)
  key.fill(0)
  first.fill(0)
  if (!isClosed) sum.fill(0)
  return isClosed ? sum : null
}

/**
 * Whether an opened share is the one behind Z and X at that position. Never where a neighbour's Z is no element: an honest member
 * finds that before it has an X to send. `share` must be canonical.
 */
export function explains(
  group: PrimeOrderGroup,
  shares: readonly (Element | null)[],
  differences: readonly Element[],
  position: number,
  share: Scalar,
): boolean {
  const [before, own, after] = [at(shares, position - 1), at(shares, position), at(shares, position + 1)]
  if (!before || !own || !after || !equalBytes(group.multiplyBase(share), own)) return false
  return equalBytes(group.multiply(group.subtract(after, before), share), at(differences, position))
}

/** null for what is no element. The identity is one here. */
export function decodeDifference(group: PrimeOrderGroup, bytes: Uint8Array): Element | null {
  const decoded = group.decode(bytes)
  if (!isRejection(decoded)) return decoded
  return decoded.rejected === "identity" ? (bytes.slice() as Element) : null
}

function at<T>(ring: readonly T[], position: number): T {
  return ring[(position + ring.length) % ring.length]!
}
