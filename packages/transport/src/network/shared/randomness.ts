/** Cryptographically random bytes. The simulator and tests draw them from a seed. */
export interface Randomness {
  bytes(length: number): Uint8Array
}

/** 32 random bits as a fraction in [0, 1). */
function fraction(random: Randomness): number {
  const bytes = random.bytes(4)
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 0x1_0000_0000
}

/** `ms` ±25%, so that members that started together do not repeat together. */
export function jittered(ms: number, random: Randomness): number {
  return ms * (0.75 + fraction(random) / 2)
}
