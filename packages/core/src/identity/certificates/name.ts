import { KeymootError } from "../../api/index.ts"

/**
 * In code points, not in graphemes: graphemes have no bound in bytes, and their boundaries change with Unicode
 * versions.
 */
export const NAME_CODE_POINTS_MAX = 60

/**
 * Control characters, line and paragraph separators, direction overrides, private use, and invisible characters, as
 * ranges of the first and last code point. Unicode's own classes grow, so two browsers would disagree about one
 * certificate. Characters of `INVISIBLE` stay allowed within a name.
 */
const FORBIDDEN: readonly (readonly [number, number])[] = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  // Surrogates: only lone ones appear as code points.
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xffff],
  [0x13430, 0x13442],
  [0x16fe4, 0x16fe4],
  [0x1bca0, 0x1bca3],
  [0x1d159, 0x1d159],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
  [0xf0000, 0x10ffff],
]

/**
 * The joiners that Persian, Indic scripts and emoji need, and the variation selectors of Mongolian and emoji. A name of
 * only these and white space is blank. Names that differ in these look alike (name-skeleton.ts).
 */
const INVISIBLE = /\s|[\u200c-\u200d]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu

function isForbidden(character: string): boolean {
  const codePoint = character.codePointAt(0)!
  return FORBIDDEN.some(([first, last]) => first <= codePoint && codePoint <= last)
}

/** Returns why a name is invalid, in words for the person that typed it; null if it is valid. */
function objection(name: string): string | null {
  if (name !== name.normalize("NFC").trim()) return "it is not in its normal form"
  if (name.replaceAll(INVISIBLE, "").length === 0) return "it is empty"
  if ([...name].length > NAME_CODE_POINTS_MAX) return `it is longer than ${NAME_CODE_POINTS_MAX} characters`
  if ([...name].some(isForbidden)) return "it contains control characters or invisible ones"
  return null
}

/** Whether a name from a certificate is valid as it is. */
export function isValidName(name: string): boolean {
  return objection(name) === null
}

/**
 * Returns the name for a certificate: NFC, without white space around it.
 * @throws KeymootError `invalid-argument` if it is empty, blank, longer than 60 code points, or holds control,
 * direction or invisible characters.
 */
export function normalizeName(input: string): string {
  const name = typeof input === "string" ? input.normalize("NFC").trim() : ""
  const reason = objection(name)
  if (reason !== null)
    throw new KeymootError("invalid-argument", `This name cannot be used: ${reason}. Choose another one.`)
  return name
}
