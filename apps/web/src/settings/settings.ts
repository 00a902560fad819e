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
  /** A short sound with it, also while the page is visible; with a message only while the chat is not. */
  readonly sounds: boolean
  /** The person has answered whether knocks should be heard or shown. A withdrawn permission unsets it. */
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
  settings.set(stored() ?? DEFAULTS)
  showTheme()
  // Another page of this browser has changed them.
  window.addEventListener("storage", ({ key }) => key === KEY && show(stored() ?? DEFAULTS))
  showLanguage(await startI18n(preferred(settings.get().language)))
}

/** Whether the last change was stored. Otherwise what is stored is older than what this page knows. */
let isStored = true

export function change(changed: Partial<Settings>): void {
  // Other pages of this browser may have changed the rest, and this one may not have heard of it yet.
  const next = { ...((isStored ? stored() : null) ?? settings.get()), ...changed }
  show(next)
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
    isStored = true
  } catch {
    isStored = false
    // Nothing can be stored here: the setting lasts until the page is closed.
  }
}

function show(next: Settings): void {
  const { language } = settings.get()
  settings.set(next)
  showTheme()
  if (next.language !== language) void speak(preferred(next.language)).then(showLanguage)
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

/** Reads only valid values from the stored ones; null if there are none. */
function stored(): Settings | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Settings> | null
    if (kept === null) return null
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
    return null
  }
}
