import { dir } from "i18next"
import { speak, startI18n } from "../i18n/index.ts"
import { store } from "../store.ts"

export const THEMES = ["system", "light", "dark"] as const

/** The settings of the page on this device. */
export type Settings = {
  readonly theme: (typeof THEMES)[number]
  /** A language tag; null: the browser's preference. */
  readonly language: string | null
  /** Notifies of a new message while the page is not visible; without content and author. */
  readonly notifications: boolean
  /** A short sound with it, also while the page is visible and the chat is not. */
  readonly sounds: boolean
  /** The person has answered whether knocks should be heard or shown. It is asked once. */
  readonly noticesOffered: boolean
  /** Others learn the address of a relay instead of mine. */
  readonly hideAddress: boolean
  /** Fetches small files of others unasked. */
  readonly fetchSmallFiles: boolean
}

const KEY = "keymoot settings"
const DEFAULTS: Settings = {
  theme: "system",
  language: null,
  notifications: false,
  sounds: false,
  noticesOffered: false,
  hideAddress: false,
  fetchSmallFiles: true,
}

export const settings = store<Settings>(DEFAULTS)

/** Must be called once. Nothing may be shown before it settles: its language would be wrong. */
export async function startSettings(): Promise<void> {
  settings.set(stored())
  showTheme()
  showLanguage(await startI18n(preferred(settings.get().language)))
}

export function change(changed: Partial<Settings>): void {
  const next = { ...settings.get(), ...changed }
  settings.set(next)
  showTheme()
  if (changed.language !== undefined) {
    void speak(preferred(changed.language)).then(showLanguage)
  }
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Nothing can be stored here: the setting lasts until the page is closed.
  }
}

function preferred(language: string | null): readonly string[] {
  const tried = import.meta.env.DEV ? new URLSearchParams(location.search).get("lang") : null
  if (tried !== null) return [tried]
  return language === null ? navigator.languages : [language]
}

function showLanguage(language: string): void {
  document.documentElement.lang = language
  document.documentElement.dir = dir(language)
}

function showTheme(): void {
  const { theme } = settings.get()
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}

/** Reads only valid values from the stored ones. */
function stored(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>
    const { theme, language, notifications, sounds, noticesOffered, hideAddress, fetchSmallFiles } = kept
    return {
      theme: THEMES.find((known) => known === theme) ?? DEFAULTS.theme,
      language: typeof language === "string" ? language : DEFAULTS.language,
      notifications: notifications === true,
      sounds: sounds === true,
      noticesOffered: noticesOffered === true,
      hideAddress: hideAddress === true,
      fetchSmallFiles: fetchSmallFiles !== false,
    }
  } catch {
    return DEFAULTS
  }
}
