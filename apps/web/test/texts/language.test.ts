import i18next, { t } from "i18next"
import { expect, it } from "vitest"
import { speak, startI18n } from "../../src/i18n/index.ts"

const AFTERNOON = new Date(2026, 10, 20, 16, 5)

it.each([
  [["en-GB", "en"], "en-GB", "Join", "20/11/2026, 16:05:00"],
  [["en-US"], "en-US", "Join", "11/20/2026, 4:05:00 PM"],
  [["nl-NL", "de-CH", "en"], "de-CH", "Teilnehmen", "20.11.2026, 16:05:00"],
  [["nl-NL"], "en", "Join", "11/20/2026, 4:05:00 PM"],
  [["fr-CA"], "fr-CA", "Rejoindre", "2026-11-20 16 h 05 min 00 s"],
  [["ja-JP"], "ja-JP", "参加", "2026/11/20 16:05:00"],
  [["es-ES", "en"], "es-ES", "Unirse", "20/11/2026, 16:05:00"],
])("follows a browser that prefers %j: the page is %s, words and dates", async (preferred, language, join, date) => {
  expect(await startI18n(preferred)).toBe(language)
  expect(i18next.language).toBe(language)
  expect(t("enter.join")).toBe(join)
  expect(AFTERNOON.toLocaleString(i18next.language).replaceAll("\u202f", " ")).toBe(date)
})

it("says millions in French, which have a plural of their own", async () => {
  await startI18n(["fr-FR"])
  expect(t("chat.tooLongEdit", { count: 1_000_000 })).toBe("Trop long. Supprimez 1000000 caractères.")
})

it("keeps the language chosen last when an earlier one is loaded later", async () => {
  await startI18n(["en-GB"])
  await Promise.all([speak(["fr"]), speak(["en-GB"])])
  expect(i18next.language).toBe("en-GB")
})

it("lets no line of French begin with a mark, or end with an opening one", async () => {
  await startI18n(["fr-FR"])
  const texts = JSON.stringify(i18next.getResourceBundle("fr", "translation"))
  expect(texts.match(/.{0,20} [:;?!»%]|« .{0,20}/gu)).toBeNull()
  expect(t("hosts.you")).toBe("Vous\u00a0:")
  expect(t("files.percent", { percent: 12 })).toBe("12\u00a0%")
  expect(t("identity.passphrase")).toContain("sauvegarde (vide\u00a0: pas")
  expect(t("verify.scanned.notACode")).toContain("«\u00a0Vérifier\u00a0», «\u00a0Scanner\u00a0»")
})

it.each(["de", "es"])("keeps a number in %s together with its percent sign", async (language) => {
  await startI18n([language])
  expect(t("files.percent", { percent: 12 })).toBe("12\u00a0%")
})
