import { concatBytes } from "@noble/hashes/utils.js"
import { isRejection, type PrimeOrderGroup, RANDOM_BYTES } from "../group/prime-order-group.ts"
import { type X25519, X25519_BYTES } from "../hpke/x25519.ts"

/** X25519 in all but strength, over the toy group. */
export function toyX25519(group: PrimeOrderGroup): X25519 {
  const scalar = (secret: Uint8Array) =>
    group.randomScalar(concatBytes(secret, new Uint8Array(RANDOM_BYTES - X25519_BYTES)))
  const padded = (bytes: Uint8Array): Uint8Array => concatBytes(bytes, new Uint8Array(X25519_BYTES - bytes.length))
  return {
    publicKey: (secret) => padded(group.multiplyBase(scalar(secret))),
    shared(secret, theirs) {
      const element = group.decode(theirs.subarray(0, group.elementBytes))
      return isRejection(element) ? null : padded(group.multiply(element, scalar(secret)))
    },
  }
}
