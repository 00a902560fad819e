/** A fault that random inputs do not reach within the test's time: each step is a block of its own. */
export function steps(bytes: Uint8Array): void {
  if (bytes[0] !== 0x4b) return
  if (bytes[1] !== 0x65) return
  if (bytes[2] === 0x79) throw new Error("planted")
}

/** One that keeps its memory no longer than it runs: a length of an attacker that nothing bounds. */
export function reserve(bytes: Uint8Array): number {
  return bytes[0] === 0x4b ? new Uint8Array((bytes[1] ?? 0) * 2 ** 20).length : 0
}
