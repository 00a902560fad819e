import { useSyncExternalStore } from "react"
import { settings } from "../settings/settings.ts"

const DARK = "(prefers-color-scheme: dark)"

/** The chosen theme, else the system's; follows changes. */
export function useTheme(): "light" | "dark" {
  return useSyncExternalStore((listener) => {
    const query = matchMedia(DARK)
    query.addEventListener("change", listener)
    const off = settings.subscribe(listener)
    return () => {
      query.removeEventListener("change", listener)
      off()
    }
  }, currentTheme)
}

export function currentTheme(): "light" | "dark" {
  const { theme } = settings.get()
  if (theme !== "system") return theme
  return matchMedia(DARK).matches ? "dark" : "light"
}
