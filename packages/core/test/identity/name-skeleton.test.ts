import unicode13 from "unhomoglyph/data.json" with { type: "json" }
import { expect, test } from "vitest"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import { VerifiedPeople } from "../../src/identity/verified-people.ts"
import { isValidName, normalizeName } from "../../src/identity/certificates/name.ts"
import { isWatched, namesakes, skeletonOf, watchedSkeletons } from "../../src/identity/name-skeleton.ts"

const VICTIM = new Uint8Array(32).fill(1)
const ATTACKER = new Uint8Array(32).fill(2)

/** Whether Mallory, under `disguise`, raises the alarm for somebody who has verified `verified`. */
async function raisesAlarm(verified: string, disguise: string): Promise<boolean> {
  const store = createMemoryStore()
  const { id, signer, publicKey } = await openIdentity({ name: "Me", store })
  const people = await VerifiedPeople.open({ store, id, signer, publicKey, checker: createCredentialChecker() })
  await people.verify(VICTIM, verified, 1)
  const mallory = { id: "m" as typeof publicKey & never, name: disguise, publicKey: ATTACKER }
  return people.impostors([mallory]).size === 1
}

const looksLike = (shown: string, verified: string): boolean => isWatched(shown, new Set(watchedSkeletons(verified)))

const EVASIONS: readonly (readonly [how: string, verified: string, disguise: string])[] = [
  ["a zero-width joiner", "Ada Lovelace", "Ada\u{200D} Lovelace"],
  ["a zero-width non-joiner", "Ada Lovelace", "A\u{200C}da Lovelace"],
  ["a variation selector", "Ada Lovelace", "Ada\u{FE0E} Lovelace"],
  ["a Mongolian variation selector", "Ada Lovelace", "Ada\u{180B} Lovelace"],
  ["a blank Braille pattern as the space", "Ada Lovelace", "Ada\u{2800}Lovelace"],
  ["a blank Braille pattern at the end", "Ada", "Ada\u{2800}"],
  ["a no-break space", "Ada Lovelace", "Ada\u{A0}Lovelace"],
  ["a Cyrillic letter", "Ada Lovelace", "Ad\u{430} Lovelace"],
  ["Cyrillic letters in capitals", "Ada Lovelace", "\u{410}D\u{410} LOVELACE"],
  ["a Greek letter", "Rob", "R\u{3BF}b"],
  ["a capital I for a small l", "Alice", "AIice"],
  ["a small l for the I of capitals", "Alice", "ALlCE"],
  ["a one for a small l", "Alice", "A1ice"],
  ["a zero for a capital O", "OSCAR", "0SCAR"],
  ["rn for m", "Tom", "Torn"],
  ["mathematical letters", "Ada", "\u{1D400}\u{1D41D}\u{1D41A}"],
  ["full-width letters", "Ada", "\u{FF21}da"],
  ["a dotless i", "Alice", "Al\u{131}ce"],
  ["a second dot on an i", "Alice", "Ali\u{307}ce"],
  ["a dot on the I of capitals", "Irina", "\u{130}rina"],
  ["other case", "Ada Lovelace", "aDA lOVELACE"],
  ["a letter and its accent as two characters", "Jos\u{E9}", "Jose\u{301}"],
]

test.each(EVASIONS)("sounds the changed-key alarm when the name is disguised by %s", async (_, verified, disguise) => {
  expect(await raisesAlarm(verified, disguise)).toBe(true)
})

const named = (name: string, publicKey: Uint8Array) => ({ member: name as never, name, publicKey })

test.each([...EVASIONS, ["two spaces", "Ada Lovelace", "Ada  Lovelace"]] as const)(
  "tells that two members share a name when one is disguised by %s",
  (_, name, disguise) => {
    const members = [named(name, VICTIM), named("Somebody", VICTIM), named(disguise, ATTACKER)]
    expect(namesakes(members)).toEqual([name, disguise])
    expect(namesakes(members.toReversed())).toEqual([disguise, name])
  },
)

test("takes no two names of one person for namesakes", () => {
  expect(namesakes([named("Ada", VICTIM), named("ADA", VICTIM)])).toEqual([])
})

test.each([
  ["Kai", "Kal"],
  ["Lia", "Ila"],
  ["Ana", "Anna"],
  ["Jose", "José"],
  ["Zoe", "Zoë"],
  ["Guest 1", "Guest 2"],
  ["Ada Lovelace", "AdaLovelace"],
  ["Müller", "Muller"],
  ["Иван", "Ivan"],
  ["Αννα", "Anna"],
  ["张伟", "张炜"],
  ["佐藤", "佐籐"],
  ["김민준", "김민준수"],
  ["محمد", "محمود"],
  ["דוד", "דויד"],
  ["👩‍🔬 Ada", "👩‍🚀 Ada"],
])("takes %s and %s for two people", (one, other) => {
  expect([looksLike(one, other), looksLike(other, one)]).toEqual([false, false])
  expect(namesakes([named(one, VICTIM), named(other, ATTACKER)])).toEqual([])
})

test.each([
  ["Tom", "Torn"],
  ["Amo", "Arno"],
  ["Ian", "Lan"],
  ["İrem", "Irem"],
  ["二郎", "ニ郎"],
])("takes %s and %s for one name, at the price of a needless alarm", (one, other) => {
  expect(looksLike(one, other)).toBe(true)
})

const BLANK = [
  "\u{2800}",
  "\u{200D}",
  "\u{200C}\u{FE0F}",
  "\u{3164}",
  "\u{180E}",
  "\u{17B4}",
  "\u{1D159}",
  "\u{16FE4}",
  "\u{3000}",
]

test.each(BLANK)("refuses a name that shows nothing, number %#", (name) => {
  expect(() => normalizeName(name)).toThrow("This name cannot be used")
  expect(isValidName(name)).toBe(false)
})

test.each(["👩‍🔬", "नीलिमा", "محمد‌رضا", "❤️"])("keeps the joiners and selectors that %s needs", (name) => {
  expect(normalizeName(name)).toBe(name.normalize("NFC"))
})

test("agrees with an independent copy of the confusables where they are unchanged", () => {
  const decomposed = Object.entries(unicode13).filter(([from]) => from.normalize("NFD") === from)
  const changed = decomposed.filter(([from, to]) => skeletonOf(from) !== skeletonOf(to)).map(([from]) => from)
  expect(decomposed.length).toBeGreaterThan(5_000)
  // Three zeros and two letters that later versions give other prototypes, and one order of a Malayalam vowel.
  expect(changed.toSorted()).toEqual(["ƒ", "ӏ", "০", "୦", "೦", "ഐ", "𑓐"].toSorted())
})
