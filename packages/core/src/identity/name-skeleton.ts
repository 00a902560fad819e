/**
 * Names that look alike to a person, after UTS #39, section 4 (Confusable Detection).
 *
 * The result only decides about warnings on this device. Members need not agree on it, so it may use the browser's own
 * Unicode tables, which grow.
 */
import type { MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { MemberCredential } from "./certificates/credential-checker.ts"
import { LruMap } from "../wire/index.ts"
import { CONFUSABLES } from "./confusables.ts"

/** Names whose skeletons are cached (LRU): known members and authors, and a full roster, present and named. */
export const NAMES_CACHED_MAX = 1024

/** Default-ignorable code points and format characters, which are invisible. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
/** Look like a space but are none in Unicode: a Braille pattern, a musical note head, Egyptian blanks. */
const BLANK = /[\s\u{2800}\u{1D159}\u{13441}\u{13442}]+/gu
/** A combining dot after a letter with its own dot is not visible. */
const SECOND_DOT = /(?<=[ij])\u0307/gu

/** By name. The skeletons of many names take milliseconds. */
const cached = new LruMap<string, readonly string[]>(NAMES_CACHED_MAX)

const prototypes: ReadonlyMap<string, string> = parseConfusables(CONFUSABLES)

/**
 * Parses two lists: the characters, as hexadecimal differences to the one before, and the prototype that each looks like.
 */
function parseConfusables(table: string): Map<string, string> {
  const [differences, prototypes] = table.split(";").map((list) => list.trim()) as [string, string]
  const targets = prototypes.split(/[,\n]/u).map((points) => String.fromCodePoint(...points.split(" ").map(fromHex)))
  let source = 0
  return new Map(
    differences.split(/\s/u).map((difference, index) => {
      source += fromHex(difference)
      return [String.fromCodePoint(source), targets[index]!]
    }),
  )
}

function fromHex(digits: string): number {
  return Number.parseInt(digits, 16)
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
  const known = cached.get(name)
  if (known) return known
  const lower = name.toLowerCase()
  const title = lower.replaceAll(/(?<!\p{L}\p{M}*)\p{L}/gu, (first) => first.toUpperCase())
  const skeletons = [name, lower, name.toUpperCase(), title].map((written) => skeletonOf(written))
  cached.set(name, skeletons)
  return skeletons
}

/** Returns the skeletons by which a displayed name is compared with those of known names. */
function shownSkeletons(name: string): readonly string[] {
  // As written, and in lower case.
  return watchedSkeletons(name).slice(0, 2)
}

/** Whether a displayed name looks like a watched one. */
export function isWatched(name: string, watched: ReadonlySet<string>): boolean {
  return shownSkeletons(name).some((skeleton) => watched.has(skeleton))
}

type Bearer = Pick<MemberCredential, "member" | "name" | "publicKey">

/** Returns the members whose name looks like that of another one with another key, in their order. */
export function namesakes(members: readonly Bearer[]): readonly MemberId[] {
  const read = members.map(({ member, name, publicKey }) => {
    return { member, key: bytesToHex(publicKey), shown: shownSkeletons(name), known: new Set(watchedSkeletons(name)) }
  })
  type Read = (typeof read)[0]
  const looksLike = (one: Read, other: Read): boolean => one.shown.some((skeleton) => other.known.has(skeleton))
  const isNamesake = (one: Read, other: Read): boolean =>
    one.key !== other.key && (looksLike(one, other) || looksLike(other, one))
  return read.filter((one) => read.some((other) => isNamesake(one, other))).map(({ member }) => member)
}
