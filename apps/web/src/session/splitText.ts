/**
 * Splits a text into pieces of at most `lengthMax` characters (at least 2). It cuts at the last line break of a piece,
 * else at the last space, and drops that one character. Without either it cuts between two characters.
 */
export function splitText(text: string, lengthMax: number): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > lengthMax) {
    const window = rest.slice(0, lengthMax + 1)
    const space = ["\n", " "].map((each) => window.lastIndexOf(each)).find((at) => at > 0)
    const end = space ?? wholeCharacters(rest, lengthMax)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(space === undefined ? end : end + 1)
  }
  return [...pieces, rest]
}

/** The cut at or before `at` that keeps a surrogate pair together. */
function wholeCharacters(text: string, at: number): number {
  return text.codePointAt(at - 1)! > 0xffff ? at - 1 : at
}
