/** Where a list goes on, as text that the client hands back: the sort key of the last entry that it has seen. */
export function positionText(...parts: readonly (string | number)[]): string {
  return Buffer.from(parts.join(".")).toString("base64url")
}

/** The parts that the pattern's groups hold; null for what `positionText` never wrote. */
export function positionOf(text: string, pattern: RegExp): readonly [string, string] | null {
  const [, first, second] = pattern.exec(Buffer.from(text, "base64url").toString()) ?? []
  return first === undefined || second === undefined || /\0/u.test(second) ? null : [first, second]
}
