import { expect, it } from "vitest"
import * as de from "../../src/i18n/de/index.ts"
import * as en from "../../src/i18n/en/index.ts"
import * as es from "../../src/i18n/es/index.ts"
import * as fr from "../../src/i18n/fr/index.ts"
import * as ja from "../../src/i18n/ja/index.ts"
import { withMillions } from "../../src/i18n/plurals.ts"
import { pseudoArabic } from "../../src/i18n/pseudoArabic.ts"
import { OTHER_REGISTER } from "./register.ts"

/** The texts by key. The plural category is part of the key. */
function textsOf(value: unknown, key = ""): Map<string, string> {
  if (typeof value === "string") return new Map([[key, value]])
  return new Map(
    Object.entries(value as object).flatMap(([name, inner]) => [
      ...textsOf(inner, key === "" ? name : `${key}.${name}`),
    ]),
  )
}

const PLURAL = /_(?:zero|one|two|few|many|other)$/u
const PLACEHOLDER = /\{\{\w+\}\}/gu
const baseOf = (key: string): string => key.replace(PLURAL, "")
/** In any order. A text may name somebody twice, or leave a count of one to the words. */
const placeholdersOf = (text: string): Set<string> => new Set(text.match(PLACEHOLDER))
const english = textsOf(en)

/** Keys whose text is the same word in English and in that language. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  de: [
    "chat.log",
    "certificates.authority",
    "identity.itsPassphrase",
    "identity.newName",
    "templates.material",
    "board.label",
    "timer.title",
  ],
  fr: [
    "certificates.authority",
    "polls.title",
    "polls.question",
    "timer.minutes_one",
    "timer.minutes_other",
    "timer.length",
    "timer.pause",
  ],
  es: ["directory.no", "hosts.roles.editor", "templates.idea"],
}
/** Words of more than one of them. */
const SHARED =
  /^(?:product|bar\.chat|chat\.emoji|chat\.message|call\.name|people\.codes|start\.options|hosts\.rank|settings\.version|invitation\.title|templates\.questions|board\.colours\.\w+)$/u

const LANGUAGES = { de, es: withMillions(es), fr: withMillions(fr), ja }

it.each(Object.entries(LANGUAGES))("%s has the texts of English, in its own plural forms", (tag, catalogue) => {
  const texts = textsOf(catalogue)
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  const wanted = [...english.keys()].flatMap((key) =>
    PLURAL.test(key) ? categories.map((category) => `${baseOf(key)}_${category}`) : [key],
  )
  expect([...texts.keys()].toSorted()).toEqual([...new Set(wanted)].toSorted())
})

it.each(Object.entries(LANGUAGES))("%s has the placeholders of English in each text", (_tag, catalogue) => {
  for (const [key, text] of textsOf(catalogue)) {
    const inEnglish = english.get(key) ?? english.get(`${baseOf(key)}_other`) ?? ""
    expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(inEnglish)])
  }
})

it.each(Object.entries(LANGUAGES))("%s leaves no text in English", (tag, catalogue) => {
  const words = [...textsOf(catalogue)].filter(([, text]) => /\p{L}{2}/u.test(text.replaceAll(PLACEHOLDER, "")))
  const left = words.filter(([key, text]) => english.get(key) === text).map(([key]) => key)
  expect(left.filter((key) => !SHARED.test(key) && !SAME[tag]?.includes(key))).toEqual([])
})

it("the pseudo-locale keeps placeholders and no Latin letter outside of them", () => {
  for (const [key, text] of textsOf(pseudoArabic(en))) {
    const inEnglish = english.get(key) ?? english.get(`${baseOf(key)}_other`) ?? ""
    expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(inEnglish)])
    expect(text.replaceAll(PLACEHOLDER, "")).not.toMatch(/[a-z]/iu)
  }
})

it.each(Object.entries({ en, de, es, fr }))(
  "%s puts no preposition before an end that has a date",
  (_tag, catalogue) => {
    const ends = /^(?:bar\.end|banner\.ending|ending\.latest|enter\.ended|invite\.return)/u
    const texts = [...textsOf(catalogue)].filter(([key]) => ends.test(key))
    expect(texts.length).toBeGreaterThanOrEqual(6)
    expect(texts.filter(([, text]) => /(?:\bat|\bum|à|\ba las?) \{\{time/u.test(text))).toEqual([])
  },
)

it.each(Object.entries(LANGUAGES))("%s addresses people in one register", (tag, catalogue) => {
  expect([...textsOf(catalogue)].filter(([, text]) => OTHER_REGISTER[tag]!.test(text))).toEqual([])
})

const sentencesOf = (text: string): number => text.match(/[.!?](?=\s|$)|。/gu)?.length ?? 0

it.each(Object.entries(LANGUAGES))("%s says what to do about an error where English does", (_tag, catalogue) => {
  const texts = textsOf(catalogue)
  const codes = [...english].filter(([key, text]) => key.startsWith("problem.codes.") && sentencesOf(text) > 1)
  expect(codes.length).toBeGreaterThan(30)
  expect(codes.map(([key]) => key).filter((key) => sentencesOf(texts.get(key)!) < 2)).toEqual([])
})

it("Japanese names what a button does, and counts raised hands as waiting", () => {
  expect(ja.ending.late).not.toContain("ください")
  expect(ja.room.peopleWaiting_other).not.toContain("入室")
})

it.each([
  ["en", en, /chats.+backup/u],
  ["de", de, /Chats.+Sicherung/u],
  ["es", es, /chats.+copia de seguridad/u],
  ["fr", fr, /conversations.+sauvegarde/u],
  ["ja", ja, /チャット.+バックアップ/u],
])("%s says that a removed identity takes its chats with it", (_tag, { identity }, chatsInNoBackup) => {
  expect(identity.removeHint).toMatch(chatsInNoBackup)
})

const colonOf = (text: string): string | undefined => text.match(/\s?[:：]$/u)?.[0]

it.each([
  ["en", en, /organisation.*a host.*one by one/u],
  ["de", de, /Organisation.*Leitung.*einzeln/u],
  ["es", es, /organización.*un anfitrión.*una por una/u],
  ["fr", fr, /organisation.*un hôte.*une par une/u],
  ["ja", ja, /組織.*ホスト.*一人ずつ/u],
])("%s says which conferences a link alone does not open", (_tag, { protection }, exceptions) => {
  expect(protection.link).toMatch(exceptions)
})

it.each(Object.entries({ en, ...LANGUAGES }))(
  "%s ends the name of a person who writes as it ends “you”",
  (_tag, texts) => {
    const { guest, you } = (texts as typeof en).hosts
    expect(colonOf(guest)).toBe(colonOf(you))
    expect(colonOf(you)).toBeDefined()
  },
)

it("accuses nobody of a lie when two people have received different things", () => {
  const said = [es, fr, ja].map((texts) => texts.security.codes.divergence)
  expect(said.filter((text) => /mentid|menti|うそ/u.test(text))).toEqual([])
})

it("has an article or preposition that fits a date", () => {
  for (const text of [fr.mine.entered, fr.mine.opens, fr.mine.ended]) expect(text).toContain(" le {{time}}")
  expect(de.schedule.opens).toMatch(/^Öffnet am /u)
})

it("French sends a person whose conference is open elsewhere to the other tab", () => {
  expect(fr.problem.codes["already-open"]).toContain("fermez l’autre onglet")
})
