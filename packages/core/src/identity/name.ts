import { KeymootError } from "../api.ts"

/** In code points, not in what a reader would call characters: those have no bound in bytes, and their borders move with Unicode. */
export const NAME_CODE_POINTS_MAX = 60

/**
 * Control characters, line and paragraph separators, what overrides the direction of the text around a name, and what shows
 * nothing at all ("Ada" and "Ada" with a zero-width space would be two people who look the same). Written as ranges, first and
 * last code point: Unicode's own classes grow, and then two browsers would disagree about one certificate. The joiners
 * U+200C and U+200D stay allowed, since Persian, Indic scripts and emoji need them.
 */
const FORBIDDEN: readonly (readonly [number, number])[] = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  // Halves of surrogate pairs: only lone ones are seen as code points.
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xffff],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

function isForbidden(character: string): boolean {
  const codePoint = character.codePointAt(0)!
  return FORBIDDEN.some(([first, last]) => first <= codePoint && codePoint <= last)
}

/** Why a name is not one, in words for the person who typed it; null if it is. */
function objection(name: string): string | null {
  if (name !== name.normalize("NFC").trim()) return "it is not in its normal form"
  if (name.length === 0) return "it is empty"
  if ([...name].length > NAME_CODE_POINTS_MAX) return `it is longer than ${NAME_CODE_POINTS_MAX} characters`
  if ([...name].some(isForbidden)) return "it contains control characters or invisible ones"
  return null
}

/** Whether a name from a certificate keeps the rules as it stands. */
export function isValidName(name: string): boolean {
  return objection(name) === null
}

/**
 * The form of a name that goes into a certificate: NFC, without white space around it.
 * @throws KeymootError `invalid-argument` if it is empty, longer than 60 code points, or holds control, direction or invisible characters.
 */
export function normalizeName(input: string): string {
  const name = typeof input === "string" ? input.normalize("NFC").trim() : ""
  const reason = objection(name)
  if (reason !== null)
    throw new KeymootError("invalid-argument", `This name cannot be used: ${reason}. Choose another one.`)
  return name
}
