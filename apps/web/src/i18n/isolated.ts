import { dir } from "i18next"

/** The blocks of right-to-left scripts (UAX #9, DerivedBidiClass.txt), and the marks of that direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const LEFT_TO_RIGHT = /[\p{L}\u200e]/u
/** Embeddings and overrides, which could turn the text after a name around. */
const EMBEDDINGS = /[\u202a-\u202e]/gu
const ISOLATES = /[\u2066-\u2069]/gu
const POP = "\u2069"

/**
 * Text from a person as a part of a sentence of the page: within Unicode's isolates, if it may run in the other
 * direction. Its letters, digits and brackets do not mix with those of the sentence (UAX #9, 2.4.2). Controls that
 * could reach beyond the text are taken out.
 */
export function isolated(text: string): string {
  const plain = text.replaceAll(EMBEDDINGS, "")
  const closed = isClosed(plain) ? plain : plain.replaceAll(ISOLATES, "")
  const other = dir() === "rtl" ? LEFT_TO_RIGHT : RIGHT_TO_LEFT
  return other.test(closed) ? `\u2068${closed}${POP}` : closed
}

/** Whether a text ends each isolate that it begins, as a list of isolated names does, and no other. */
function isClosed(text: string): boolean {
  let open = 0
  for (const [control] of text.matchAll(ISOLATES)) {
    open += control === POP ? -1 : 1
    if (open < 0) return false
  }
  return open === 0
}
