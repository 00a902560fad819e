/** 32 random bits as a fraction in [0, 1). */
function fraction(random: (length: number) => Uint8Array): number {
  const bytes = random(4)
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 0x1_0000_0000
}

/** `ms` ±25%, so that members that started together do not repeat together. */
export function jittered(ms: number, random: (length: number) => Uint8Array): number {
  return ms * (0.75 + fraction(random) / 2)
}
