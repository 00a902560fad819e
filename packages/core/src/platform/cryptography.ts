import {
  type Kem,
  loadGroup,
  loadKem,
  loadSeedSigner,
  loadVerifier,
  loadX25519,
  type PrimeOrderGroup,
  type SeedSigner,
  type SignatureVerifier,
  type X25519,
} from "@keymoot/gke"
import type { HopCipher } from "@keymoot/transport"
import { loadHopCipher } from "./hop-cipher.ts"

/** Synchronous cryptography for the key agreement modules. */
export type Cryptography = {
  /** Cipher of the links. */
  readonly hopCipher: HopCipher
  readonly primeGroup: PrimeOrderGroup
  readonly x25519: X25519
  readonly verifier: SignatureVerifier
  /** The signer of room proofs. Null where WebAssembly is forbidden. */
  readonly seedSigner: SeedSigner | null
  /** ML-KEM-768, for conferences with post-quantum protection. */
  readonly kem: Kem
}

let loading: Promise<Cryptography> | null = null

/**
 * Loads libsodium's WebAssembly, or noble if WebAssembly is forbidden. Later calls return what the first one loads. After a
 * failure the next call tries again.
 */
export function loadCryptography(): Promise<Cryptography> {
  return (loading ??= load().catch((error: unknown) => {
    loading = null
    throw error
  }))
}

async function load(): Promise<Cryptography> {
  const [primeGroup, x25519, verifier, seedSigner, hopCipher, kem] = await Promise.all([
    loadGroup(),
    loadX25519(),
    loadVerifier(),
    loadSeedSigner(),
    loadHopCipher(),
    loadKem(),
  ])
  return { primeGroup, x25519, verifier, seedSigner, hopCipher, kem }
}
