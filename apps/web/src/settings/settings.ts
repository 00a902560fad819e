import { speak, startI18n } from "../i18n/index.ts"
import { store } from "../store.ts"

export const THEMES = ["system", "light", "dark"] as const

/** What a person has chosen about the page on this device. */
export type Settings = {
  readonly theme: (typeof THEMES)[number]
  /** A language tag; null: as the browser prefers. */
  readonly language: string | null
  /** Says that something was written while the page is not seen; not what, nor by whom. */
  readonly notifications: boolean
  /** A short sound with it, also while the page is seen and the chat is not. */
  readonly sounds: boolean
  /** The others learn the address of a relay instead of mine. */
  readonly hideAddress: boolean
}

const KEY = "keymoot settings"
const DEFAULTS: Settings = { theme: "system", language: null, notifications: false, sounds: false, hideAddress: false }

export const settings = store<Settings>(DEFAULTS)

/** To be called once, before anything is shown. */
export function startSettings(): void {
  settings.set(stored())
  const { language } = settings.get()
  document.documentElement.lang = startI18n(preferred(language))
  showTheme()
}

export function change(changed: Partial<Settings>): void {
  const next = { ...settings.get(), ...changed }
  settings.set(next)
  showTheme()
  if (changed.language !== undefined) {
    void speak(preferred(changed.language)).then((language) => {
      document.documentElement.lang = language
    })
  }
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Nothing can be stored here: it holds until the page is closed.
  }
}

function preferred(language: string | null): readonly string[] {
  return language === null ? navigator.languages : [language]
}

function showTheme(): void {
  const { theme } = settings.get()
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}

/** Whatever is stored: only what fits is taken from it. */
function stored(): Settings {
  try {
    const { theme, language, notifications, sounds, hideAddress } = JSON.parse(
      localStorage.getItem(KEY) ?? "{}",
    ) as Partial<Settings>
    return {
      theme: THEMES.find((known) => known === theme) ?? DEFAULTS.theme,
      language: typeof language === "string" ? language : DEFAULTS.language,
      notifications: notifications === true,
      sounds: sounds === true,
      hideAddress: hideAddress === true,
    }
  } catch {
    return DEFAULTS
  }
}
