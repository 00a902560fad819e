/** The cursor of a paged list, as text that the client sends back: the sort key of the last entry of a page. */
export function positionText(...parts: readonly (string | number)[]): string {
  return Buffer.from(parts.join(".")).toString("base64url")
}

/** The parts that the pattern's groups match; null for text that `positionText` cannot have produced. */
export function positionOf(text: string, pattern: RegExp): readonly [string, string] | null {
  const [, first, second] = pattern.exec(Buffer.from(text, "base64url").toString()) ?? []
  return first === undefined || second === undefined || /\0/u.test(second) ? null : [first, second]
}
