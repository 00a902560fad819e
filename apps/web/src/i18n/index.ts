import { use as useModule } from "i18next"
import { initReactI18next } from "react-i18next"
import { de } from "./de.ts"
import { en } from "./en.ts"

const languages = { en, de } as const

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation"
    resources: { translation: typeof en }
  }
}

/** The first language of the browser that there is a translation for; English otherwise. */
export function startI18n(preferred: readonly string[] = navigator.languages): void {
  const language =
    preferred.map((tag) => tag.split("-")[0]).find((tag) => tag !== undefined && tag in languages) ?? "en"
  void useModule(initReactI18next).init({
    lng: language,
    fallbackLng: "en",
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false }, // React escapes what it renders.
    initAsync: false,
  })
  document.documentElement.lang = language
}
