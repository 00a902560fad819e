import { t } from "i18next"
import { beforeEach, expect, it } from "vitest"
import { listNames } from "../../src/conference/names.ts"
import { isolated } from "../../src/i18n/isolated.ts"
import { speak, startI18n } from "../../src/i18n/index.ts"

const ARABIC = "عبد الرحمن"
const [ISOLATE, POP] = ["\u2068", "\u2069"]

beforeEach(async () => {
  await startI18n(["en-GB"])
})

it("a name cannot turn the sentence around that follows it", () => {
  expect(t("timer.paused", { time: `\u202e${ARABIC}` })).toContain(`${ISOLATE}${ARABIC}${POP}`)
})

it.each([
  ["overrides the direction", "\u202eabc", "abc"],
  ["embeds another direction", "abc\u202b", "abc"],
  ["begins an isolate and does not end it", "abc\u2067", "abc"],
  ["ends an isolate that it has not begun", `\u2069${ARABIC}`, `${ISOLATE}${ARABIC}${POP}`],
  ["ends an isolate before it begins one", `a\u2069${ARABIC}\u2067`, `${ISOLATE}a${ARABIC}${POP}`],
])("takes the controls out of a title that %s", (_, title, shown) => {
  expect(t("invite.textAbout", { title })).toContain(` ${shown}. `)
})

it.each([
  ["Adlam letters", "𞤀𞤣𞤤𞤢𞤥"],
  ["Hanifi Rohingya letters", "𐴌𐴟𐴇𐴥"],
  ["a right-to-left mark", "abc!\u200f"],
  ["an Arabic letter mark", "\u061c(1)"],
])("isolates a name with %s", (_, name) => {
  expect(isolated(name)).toBe(ISOLATE + name + POP)
})

it("names of a list do not mix, also within a sentence", () => {
  const names = listNames([{ name: "Ada" }, { name: ARABIC }], "en")
  expect(t("chat.hand", { names })).toContain(`${ISOLATE}Ada and ${ISOLATE}${ARABIC}${POP}${POP}`)
})

it("names of a list do not mix", () => {
  const names = listNames([{ name: "Ada" }, { name: ARABIC }, { name: "Bob" }, { name: ARABIC }], "en")
  expect(names).toBe(`Ada, ${ISOLATE}${ARABIC}${POP}, Bob, and ${ISOLATE}${ARABIC}${POP}`)
})

it("leaves text of the page's own direction as it is", () => {
  expect(t("timer.paused", { time: "Ada <&> $1" })).toContain("Ada <&> $1")
  expect(isolated("12:30")).toBe("12:30")
})

it("isolates Latin names on a page from right to left", async () => {
  await speak(["ar"])
  expect(isolated("Ada")).toBe(`${ISOLATE}Ada${POP}`)
  expect(isolated("12:30")).toBe("12:30")
})
