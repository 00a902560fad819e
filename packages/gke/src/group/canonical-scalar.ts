import { equalSecretBytes } from "../shared/bytes.ts"
import type { PrimeOrderGroup, Scalar } from "./prime-order-group.ts"

/** Whether bytes from a peer, `scalarBytes` of them, are a reduced scalar; zero is one. In constant time. */
export function isCanonicalScalar(group: PrimeOrderGroup, bytes: Uint8Array): bytes is Scalar {
  const reduced = group.addScalars(bytes as Scalar, new Uint8Array(group.scalarBytes) as Scalar)
  const isCanonical = equalSecretBytes(reduced, bytes)
  reduced.fill(0)
  return isCanonical
}
