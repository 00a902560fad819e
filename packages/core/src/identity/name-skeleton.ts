/**
 * Names that look alike to a person, after UTS #39, section 4 (Confusable Detection).
 *
 * The result only decides about warnings on this device. Members need not agree on it, so it may use the browser's own
 * Unicode tables, which grow.
 */
import { CONFUSABLES } from "./confusables.ts"

/** Default-ignorable code points and format characters, which are invisible. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
/** Look like a space but are none in Unicode: a Braille pattern, a musical note head, Egyptian blanks. */
const BLANK = /[\s\u{2800}\u{1D159}\u{13441}\u{13442}]+/gu
/** A combining dot after a letter with its own dot is not visible. */
const SECOND_DOT = /(?<=[ij])\u0307/gu

const prototypes: ReadonlyMap<string, string> = parseConfusables(CONFUSABLES)

/**
 * Parses lines of a prototype and the characters that look like it. Sources are base-36 differences to the one before.
 */
function parseConfusables(table: string): Map<string, string> {
  const parsed = new Map<string, string>()
  for (const line of table.trim().split(/[\n;]/u)) {
    const [prototype, sources] = line.split(":") as [string, string]
    const target = String.fromCodePoint(...prototype.split(" ").map((each) => Number.parseInt(each, 36)))
    let source = 0
    for (const difference of sources.split(" ")) {
      source += Number.parseInt(difference, 36)
      parsed.set(String.fromCodePoint(source), target)
    }
  }
  return parsed
}

function substituted(text: string, table: ReadonlyMap<string, string>): string {
  return Array.from(text, (character) => table.get(character) ?? character).join("")
}

/**
 * UTS #39's skeleton, which also ignores compatibility forms, white space and second dots. It is equal for texts that
 * look the same. Case matters: a capital I looks like a small l, a small i does not.
 */
export function skeletonOf(text: string, table: ReadonlyMap<string, string> = prototypes): string {
  const visible = text.normalize("NFD").replaceAll(INVISIBLE, "")
  const simplified = substituted(visible, table).normalize("NFKD")
  return substituted(simplified, table).normalize("NFD").replaceAll(SECOND_DOT, "").replaceAll(BLANK, " ").trim()
}

/**
 * Returns the skeletons of a known name in the cases in which people write names. The skeleton itself cannot be
 * case-folded: i and l both look like a capital I, so "Kai" and "Kal" would be alike.
 */
export function watchedSkeletons(name: string): readonly string[] {
  const lower = name.toLowerCase()
  const title = lower.replaceAll(/(?<!\p{L}\p{M}*)\p{L}/gu, (first) => first.toUpperCase())
  return [name, lower, name.toUpperCase(), title].map((written) => skeletonOf(written))
}

/** Whether a displayed name looks like a watched one. */
export function isWatched(name: string, watched: ReadonlySet<string>): boolean {
  return watched.has(skeletonOf(name)) || watched.has(skeletonOf(name.toLowerCase()))
}
