type Named = { readonly name: string }
export type MentionPiece<P> = { readonly text: string; readonly person: P | null }

/** Marks in one message that are looked up; later ones stay plain text. */
export const MENTIONS_LOOKED_UP_MAX = 50

/**
 * A text split at `@` and the name of somebody here; the joined pieces equal the text. The longest name counts, so that
 * "@Ada Lovelace" is not a mention of another Ada.
 */
export function cutMentions<P extends Named>(text: string, people: readonly P[]): readonly MentionPiece<P>[] {
  const longestFirst = people
    .filter(({ name }) => name !== "")
    .toSorted((one, other) => other.name.length - one.name.length)
  const pieces: MentionPiece<P>[] = []
  let end = 0
  let lookedUp = 0
  for (let at = text.indexOf("@"); at >= 0 && lookedUp < MENTIONS_LOOKED_UP_MAX; at = text.indexOf("@", at + 1)) {
    if (at < end || isWord(text[at - 1])) continue // The middle of an address.
    lookedUp++
    const found = longestFirst.find(({ name }) => isNameAt(text, at + 1, name))
    if (found === undefined) continue
    if (at > end) pieces.push({ text: text.slice(end, at), person: null })
    end = at + 1 + found.name.length
    pieces.push({ text: text.slice(at, end), person: found })
  }
  if (end < text.length) pieces.push({ text: text.slice(end), person: null })
  return pieces
}

/** Whether the text mentions this person, and not somebody with a longer name. Two people of one name are both meant. */
export function isMentioned<P extends Named>(text: string, person: P, people: readonly P[]): boolean {
  const name = person.name.toLowerCase()
  return text.includes("@") && cutMentions(text, people).some((piece) => piece.person?.name.toLowerCase() === name)
}

/** Small letters may be longer, as those of İ are. */
function isNameAt(text: string, at: number, name: string): boolean {
  const end = at + name.length
  return text.slice(at, end).toLowerCase() === name.toLowerCase() && !isWord(text[end])
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_]/u.test(char)
}
