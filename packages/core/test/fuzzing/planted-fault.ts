/** A fault that random inputs do not reach within the test's time: each step is a block of its own. */
export function steps(bytes: Uint8Array): void {
  if (bytes[0] !== 0x4b) return
  if (bytes[1] !== 0x65) return
  if (bytes[2] === 0x79) throw new Error("planted")
}
