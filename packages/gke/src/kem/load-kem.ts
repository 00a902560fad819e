import { type Compiled, createSodiumCalls, loadSodium, type SodiumModule } from "../group/sodium-calls.ts"
import { copySecret, requireLength } from "../shared/bytes.ts"
import { unreachable } from "../shared/errors.ts"
import { SEAL_TAG_BYTES } from "../shared/one-time-seal.ts"
import { isWebAssemblyAllowed } from "../shared/web-assembly.ts"
import {
  type Kem,
  KEM_CIPHERTEXT_BYTES,
  KEM_PUBLIC_KEY_BYTES,
  KEM_RANDOM_BYTES,
  KEM_SECRET_KEY_BYTES,
  KEM_SEED_BYTES,
  KEM_SHARED_BYTES,
} from "./kem.ts"

const SEAL_KEY_BYTES = 32
const NONCE = new Uint8Array(12)

/** The functions of libsodium that ML-KEM-768 needs, as they were compiled: two results, then the inputs. */
type SodiumKem = SodiumModule & {
  readonly _crypto_kem_mlkem768_seed_keypair: (publicKey: number, secretKey: number, seed: number) => number
  readonly _crypto_kem_mlkem768_enc_deterministic: (c: number, shared: number, publicKey: number, m: number) => number
  readonly _crypto_kem_mlkem768_dec: (shared: number, ciphertext: number, secretKey: number) => number
  /** Each length has a second word, which is 0 here. */
  readonly _crypto_aead_chacha20poly1305_ietf_encrypt: (...args: readonly number[]) => number
  readonly _crypto_aead_chacha20poly1305_ietf_decrypt: (...args: readonly number[]) => number
}

/** ML-KEM-768 over libsodium, which checks the modulus of a public key itself. */
function createSodiumKem(sodium: SodiumKem): Kem {
  const call = createSodiumCalls(sodium)
  const generate: Compiled = (result, seed) =>
    sodium._crypto_kem_mlkem768_seed_keypair(result, result + KEM_PUBLIC_KEY_BYTES, seed!)
  const encapsulate: Compiled = (result, publicKey, random) =>
    sodium._crypto_kem_mlkem768_enc_deterministic(result, result + KEM_CIPHERTEXT_BYTES, publicKey!, random!)
  const decapsulate: Compiled = (result, ciphertext, secretKey) =>
    sodium._crypto_kem_mlkem768_dec(result, ciphertext!, secretKey!)
  const seal: Kem["seal"] = (key, secret) => {
    requireLength("the key", key, SEAL_KEY_BYTES)
    // prettier-ignore
    const encrypt: Compiled = (result, ...[key, nonce, text]) =>
      sodium._crypto_aead_chacha20poly1305_ietf_encrypt(result, 0, text!, secret.length, 0, 0, 0, 0, 0, nonce!, key!)
    return call(encrypt, secret.length + SEAL_TAG_BYTES, key, NONCE, secret) ?? unreachable("any text can be encrypted")
  }
  return {
    keyPair(seed) {
      requireLength("the seed", seed, KEM_SEED_BYTES)
      const both = call(generate, KEM_PUBLIC_KEY_BYTES + KEM_SECRET_KEY_BYTES, seed)
      if (!both) unreachable("libsodium makes a key of any seed")
      const publicKey = both.slice(0, KEM_PUBLIC_KEY_BYTES)
      return { publicKey, secretKey: takeSecret(both, KEM_PUBLIC_KEY_BYTES) }
    },
    encapsulate(publicKey, random) {
      requireLength("the randomness", random, KEM_RANDOM_BYTES)
      // libsodium does not check lengths: a shorter input would be read beyond its end.
      if (publicKey.length !== KEM_PUBLIC_KEY_BYTES) return null
      const both = call(encapsulate, KEM_CIPHERTEXT_BYTES + KEM_SHARED_BYTES, publicKey, random)
      if (!both) return null
      return { ciphertext: both.slice(0, KEM_CIPHERTEXT_BYTES), shared: takeSecret(both, KEM_CIPHERTEXT_BYTES) }
    },
    decapsulate(secretKey, ciphertext) {
      requireLength("the secret key", secretKey, KEM_SECRET_KEY_BYTES)
      if (ciphertext.length !== KEM_CIPHERTEXT_BYTES) return null
      return call(decapsulate, KEM_SHARED_BYTES, ciphertext, secretKey) ?? unreachable("any ciphertext decapsulates")
    },
    seal,
    open(key, sealed) {
      requireLength("the key", key, SEAL_KEY_BYTES)
      const length = sealed.length - SEAL_TAG_BYTES
      if (length < 0) return null
      // prettier-ignore
      const decrypt: Compiled = (result, ...[key, nonce, text]) =>
        sodium._crypto_aead_chacha20poly1305_ietf_decrypt(result, 0, 0, text!, sealed.length, 0, 0, 0, 0, nonce!, key!)
      const secret = call(decrypt, length, key, NONCE, sealed)
      // The end of the text is still on libsodium's stack. Another text takes its place.
      seal(new Uint8Array(SEAL_KEY_BYTES), new Uint8Array(length))
      return secret
    },
  }
}

/** The rest of `bytes` from `start` as a secret of its own; overwrites it in `bytes`. */
function takeSecret(bytes: Uint8Array, start: number): Uint8Array {
  const rest = bytes.subarray(start)
  const secret = copySecret(rest)
  rest.fill(0)
  return secret
}

/** Loads libsodium's WebAssembly (browser and Node) and gives ML-KEM-768 over it. */
export async function loadSodiumKem(): Promise<Kem> {
  return createSodiumKem(await loadSodium<SodiumKem>())
}

/** ML-KEM-768 over libsodium's WebAssembly, or over noble where that is forbidden; of the two only the one used is loaded. */
export async function loadKem(): Promise<Kem> {
  if (isWebAssemblyAllowed()) return loadSodiumKem()
  const { nobleKem } = await import("./noble-kem.ts")
  return nobleKem
}
