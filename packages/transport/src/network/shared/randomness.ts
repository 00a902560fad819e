/** Cryptographically random bytes. The simulator and tests draw them from a seed. */
export interface Randomness {
  bytes(length: number): Uint8Array
}
