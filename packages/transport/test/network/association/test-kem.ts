/** ML-KEM-768 for tests of this package, which has no implementation of its own. */
import { ml_kem768 } from "@noble/post-quantum/ml-kem.js"
import { KEM_CIPHERTEXT_BYTES, KEM_KEY_BYTES, type Kem } from "../../../src/network/shared/kem.ts"

export const testKem: Kem = {
  keyPair: (seed) => ml_kem768.keygen(seed),
  encapsulate(publicKey, random) {
    if (publicKey.length !== KEM_KEY_BYTES) return null
    try {
      const { cipherText, sharedSecret } = ml_kem768.encapsulate(publicKey, random)
      return { ciphertext: cipherText, shared: sharedSecret }
    } catch {
      return null
    }
  },
  decapsulate: (secretKey, ciphertext) =>
    ciphertext.length === KEM_CIPHERTEXT_BYTES ? ml_kem768.decapsulate(ciphertext, secretKey) : null,
}
