import { useSyncExternalStore } from "react"

const DARK = "(prefers-color-scheme: dark)"

/** The system's theme, as it changes. */
export function useTheme(): "light" | "dark" {
  return useSyncExternalStore((listener) => {
    const query = matchMedia(DARK)
    query.addEventListener("change", listener)
    return () => query.removeEventListener("change", listener)
  }, currentTheme)
}

export function currentTheme(): "light" | "dark" {
  return matchMedia(DARK).matches ? "dark" : "light"
}
