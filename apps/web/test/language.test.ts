import i18next, { t } from "i18next"
import { expect, it } from "vitest"
import { startI18n } from "../src/i18n/index.ts"

const AFTERNOON = new Date(2026, 10, 20, 16, 5)

it.each([
  [["en-GB", "en"], "en-GB", "Join", "20/11/2026, 16:05:00"],
  [["en-US"], "en-US", "Join", "11/20/2026, 4:05:00 PM"],
  [["fr-FR", "de-CH", "en"], "de-CH", "Teilnehmen", "20.11.2026, 16:05:00"],
  [["fr-FR"], "en", "Join", "11/20/2026, 4:05:00 PM"],
])("to a browser that prefers %j the page speaks %s, words and dates", (preferred, language, join, date) => {
  expect(startI18n(preferred)).toBe(language)
  expect(i18next.language).toBe(language)
  expect(t("enter.join")).toBe(join)
  expect(AFTERNOON.toLocaleString(i18next.language).replaceAll("\u202f", " ")).toBe(date)
})
