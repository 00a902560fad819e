import { type Compiled, createSodiumCalls, loadSodium, type SodiumModule } from "./sodium-calls.ts"
import { requireLength } from "../shared/bytes.ts"
import { isWebAssemblyAllowed } from "../shared/web-assembly.ts"

/** Signs by Ed25519 (RFC 8032) under a private key that is given as its seed. Synchronous. */
export interface SeedSigner {
  /** The signature (64 bytes). `seed`: 32 bytes. */
  sign(seed: Uint8Array, bytes: Uint8Array): Uint8Array
}

const SEED_BYTES = 32
const PUBLIC_KEY_BYTES = 32
const SECRET_KEY_BYTES = 64
const SIGNATURE_BYTES = 64

/** The functions of libsodium that it needs, as they were compiled. */
type SodiumSign = SodiumModule & {
  readonly _crypto_sign_seed_keypair: Compiled
  readonly _crypto_sign_detached: Compiled
}

/** Over libsodium's WebAssembly. Null where that is forbidden. JavaScript takes 50 ms for the first signature. */
export async function loadSeedSigner(): Promise<SeedSigner | null> {
  return isWebAssemblyAllowed() ? createSodiumSeedSigner(await loadSodium<SodiumSign>()) : null
}

function createSodiumSeedSigner(sodium: SodiumSign): SeedSigner {
  const call = createSodiumCalls(sodium)
  const pairOf: Compiled = (result, seed) => sodium._crypto_sign_seed_keypair(result, result + PUBLIC_KEY_BYTES, seed!)
  return {
    sign: (seed, bytes) => {
      requireLength("a seed", seed, SEED_BYTES)
      const pair = call(pairOf, PUBLIC_KEY_BYTES + SECRET_KEY_BYTES, seed)!
      // The length is a number of 64 bits, in two halves.
      const signed: Compiled = (result, message, key) =>
        sodium._crypto_sign_detached(result, 0, message!, bytes.length, 0, key!)
      const signature = call(signed, SIGNATURE_BYTES, bytes, pair.subarray(PUBLIC_KEY_BYTES))!
      pair.fill(0)
      return signature
    },
  }
}
