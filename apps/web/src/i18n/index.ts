import i18next, { changeLanguage, use as useModule } from "i18next"
import { initReactI18next } from "react-i18next"
import * as en from "./en/index.ts"
import type { Texts } from "./en/index.ts"
import { isolated } from "./isolated.ts"
import { type TextsWithoutOne, withMillions } from "./plurals.ts"
import { unbroken } from "./unbroken.ts"

/** English is part of the page. The others are loaded when they are chosen. */
const others: Readonly<Record<string, () => Promise<object>>> = {
  de: (): Promise<Texts> => import("./de/index.ts"),
  es: async () => withMillions(await import("./es/index.ts")),
  fr: async () => withMillions(await import("./fr/index.ts"), unbroken),
  ja: (): Promise<TextsWithoutOne> => import("./ja/index.ts"),
  // Right to left, to look at the layout.
  ...(import.meta.env.DEV && { ar: async () => (await import("./pseudoArabic.ts")).pseudoArabic(en) }),
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation"
    resources: { translation: typeof en }
  }
}

export const LANGUAGES: readonly string[] = ["en", ...Object.keys(others)]

let chosen = ""

const baseOf = (tag: string): string => tag.split("-")[0] ?? ""

/**
 * Speaks the first of these languages that there is a translation for, from now on; English otherwise. Returns it with
 * its region: the words are the same in all of them, dates and times are not. English if its texts cannot be loaded.
 */
export async function speak(preferred: readonly string[]): Promise<string> {
  const language = preferred.find((tag) => LANGUAGES.includes(baseOf(tag))) ?? "en"
  chosen = language
  const loaded = await load(baseOf(language))
  // Another one may have been chosen meanwhile.
  if (chosen === language) await changeLanguage(loaded ? language : "en")
  return i18next.language
}

/** As `speak`, once before anything is shown. English is there when this returns, before the promise settles. */
export function startI18n(preferred: readonly string[]): Promise<string> {
  void useModule(initReactI18next).init({
    lng: preferred.find((tag) => baseOf(tag) === "en") ?? "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    // React escapes what it renders. Here a name of another direction is kept from turning the sentence around.
    interpolation: { escape: isolated },
    initAsync: false,
  })
  return speak(preferred)
}

async function load(base: string): Promise<boolean> {
  if (i18next.hasResourceBundle(base, "translation")) return true
  try {
    i18next.addResourceBundle(base, "translation", await others[base]?.())
    return true
  } catch {
    return false
  }
}
