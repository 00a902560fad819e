/** ML-KEM-768 over noble, for where WebAssembly is forbidden; loaded only there (`loadKem`). */
import { ml_kem768 } from "@noble/post-quantum/ml-kem.js"
import { requireLength, settleSecret } from "../shared/bytes.ts"
import { openOnce, sealOnce } from "../shared/one-time-seal.ts"
import {
  isKemPublicKey,
  type Kem,
  KEM_CIPHERTEXT_BYTES,
  KEM_RANDOM_BYTES,
  KEM_SECRET_KEY_BYTES,
  KEM_SEED_BYTES,
} from "./kem.ts"

export const nobleKem: Kem = {
  keyPair(seed) {
    requireLength("the seed", seed, KEM_SEED_BYTES)
    const { publicKey, secretKey } = ml_kem768.keygen(seed)
    return { publicKey, secretKey: settleSecret(secretKey) }
  },
  encapsulate(publicKey, random) {
    requireLength("the randomness", random, KEM_RANDOM_BYTES)
    if (!isKemPublicKey(publicKey)) return null
    const { cipherText, sharedSecret } = ml_kem768.encapsulate(publicKey, random)
    return { ciphertext: cipherText, shared: settleSecret(sharedSecret) }
  },
  decapsulate(secretKey, ciphertext) {
    requireLength("the secret key", secretKey, KEM_SECRET_KEY_BYTES)
    if (ciphertext.length !== KEM_CIPHERTEXT_BYTES) return null
    return settleSecret(ml_kem768.decapsulate(ciphertext, secretKey))
  },
  seal: sealOnce,
  open: openOnce,
}
