/** A public key to compare with a person: hex digits in groups of four, all of them or the first 16. */
export function keyDigits(publicKey: string, isWhole = false): string {
  const digits = isWhole ? publicKey : publicKey.slice(0, 16)
  return digits.match(/.{1,4}/gu)?.join(" ") ?? ""
}
