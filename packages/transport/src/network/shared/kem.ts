/**
 * ML-KEM-768 (FIPS 203), synchronous and without randomness of its own. The package has no implementation: the
 * application passes one in. Malformed bytes of a peer give null, and nothing here throws for them.
 */
export type Kem = {
  /** @param seed 64 random bytes, d and z in the standard. It is not changed. */
  keyPair(seed: Uint8Array): { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array }
  /**
   * Null for a key that the standard's check (7.2) refuses. `shared` has 32 bytes.
   * @param random 32 bytes, used once.
   */
  encapsulate(
    publicKey: Uint8Array,
    random: Uint8Array,
  ): { readonly ciphertext: Uint8Array; readonly shared: Uint8Array } | null
  /** Null for a ciphertext of another length. Any other one gives 32 bytes, which only its sender may know too. */
  decapsulate(secretKey: Uint8Array, ciphertext: Uint8Array): Uint8Array | null
}

export const KEM_SEED_BYTES = 64
export const KEM_RANDOM_BYTES = 32
export const KEM_KEY_BYTES = 1184
export const KEM_CIPHERTEXT_BYTES = 1088
