import { changeLanguage, use as useModule } from "i18next"
import { initReactI18next } from "react-i18next"
import { de } from "./de/index.ts"
import { en } from "./en/index.ts"

const languages = { en, de } as const

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation"
    resources: { translation: typeof en }
  }
}

export const LANGUAGES = Object.keys(languages) as readonly (keyof typeof languages)[]

/** From now on; returns it as `startI18n` does. */
export async function speak(preferred: readonly string[]): Promise<string> {
  const language = firstKnown(preferred)
  await changeLanguage(language)
  return language
}

function firstKnown(preferred: readonly string[]): string {
  return preferred.find((tag) => (tag.split("-")[0] ?? "") in languages) ?? "en"
}

/**
 * Speaks the first of these languages that there is a translation for; English otherwise. Returns it with its region:
 * the words are the same in all of them, dates and times are not.
 */
export function startI18n(preferred: readonly string[]): string {
  const language = firstKnown(preferred)
  void useModule(initReactI18next).init({
    lng: language,
    fallbackLng: "en",
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false }, // React escapes what it renders.
    initAsync: false,
  })
  return language
}
