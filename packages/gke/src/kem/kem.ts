/**
 * ML-KEM-768 (FIPS 203) as a synchronous function of its inputs. Each call takes its randomness as an argument, so the
 * state machines that use it stay without a source of their own.
 */
export interface Kem {
  /** ML-KEM.KeyGen_internal: `seed` is d and then z. The caller overwrites the seed. */
  keyPair(seed: Uint8Array): KemKeyPair
  /**
   * ML-KEM.Encaps_internal, `random` being m. Null for a key that fails the checks of FIPS 203, section 7.2 (length and
   * modulus). The caller overwrites `random`.
   */
  encapsulate(publicKey: Uint8Array, random: Uint8Array): Encapsulation | null
  /**
   * ML-KEM.Decaps_internal. Null for a ciphertext of another length. Any other ciphertext that was not made for this key
   * gives a secret that nobody else has (implicit rejection). So the caller needs a confirmation of its own.
   */
  decapsulate(secretKey: Uint8Array, ciphertext: Uint8Array): Uint8Array | null
  /**
   * ChaCha20-Poly1305 (RFC 8439) with a nonce of zeros, since each key of 32 bytes seals one secret. Returns the
   * ciphertext and its tag of 16 bytes. It belongs to the KEM because noble's cipher leaves copies of its key.
   */
  seal(key: Uint8Array, secret: Uint8Array): Uint8Array
  /** Null if it was not sealed so. The caller owns the secret. */
  open(key: Uint8Array, sealed: Uint8Array): Uint8Array | null
}

/** The owner overwrites `secretKey` when it is done with it. */
export type KemKeyPair = { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array }

/** The caller overwrites `shared`. */
export type Encapsulation = { readonly ciphertext: Uint8Array; readonly shared: Uint8Array }

export const KEM_SEED_BYTES = 64
export const KEM_RANDOM_BYTES = 32
export const KEM_PUBLIC_KEY_BYTES = 1184
export const KEM_SECRET_KEY_BYTES = 2400
export const KEM_CIPHERTEXT_BYTES = 1088
export const KEM_SHARED_BYTES = 32

const MODULUS = 3329
/** The coefficients, packed as 12 bits each; the seed of the matrix follows. */
const COEFFICIENT_BYTES = KEM_PUBLIC_KEY_BYTES - 32

/**
 * The checks of FIPS 203, section 7.2: the length, and that each coefficient is below the modulus. Same verdict as
 * `encapsulate`, without its cost, so that receivers can refuse a key that they do not use.
 */
export function isKemPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== KEM_PUBLIC_KEY_BYTES) return false
  for (let i = 0; i < COEFFICIENT_BYTES; i += 3) {
    const pair = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16)
    if ((pair & 0xfff) >= MODULUS || pair >> 12 >= MODULUS) return false
  }
  return true
}
