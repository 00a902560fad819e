import { dir } from "i18next"

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u
const LEFT_TO_RIGHT = /\p{L}/u
/** Embeddings and overrides, which could turn the text after a name around. */
const EMBEDDINGS = /[\u202a-\u202e]/gu

/**
 * Text from a person as a part of a sentence of the page: within Unicode's isolates, if it may run in the other
 * direction. Its letters, digits and brackets do not mix with those of the sentence (UAX #9, 2.4.2).
 */
export function isolated(text: string): string {
  const other = dir() === "rtl" ? LEFT_TO_RIGHT : RIGHT_TO_LEFT
  return other.test(text) ? `\u2068${text.replaceAll(EMBEDDINGS, "")}\u2069` : text
}
