import type { CallToggle } from "./openTracks.ts"

/** Devices that come back with a call. The browser asks for a screen each time. */
const RETURNING: readonly CallToggle[] = ["microphone", "camera"]
const KEY = "keymoot call"

type Remembered = { readonly conference: string; readonly toggles: readonly CallToggle[] }

/** Returns what was on in the call before this tab was reloaded; null if it was in none. Other tabs do not see it. */
export function callBefore(conference: string): readonly CallToggle[] | null {
  try {
    const value = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Remembered> | null
    if (value?.conference !== conference || !Array.isArray(value.toggles)) return null
    const { toggles } = value
    return RETURNING.filter((toggle) => toggles.includes(toggle))
  } catch {
    return null
  }
}

/** @param toggles null: this tab is in no call */
export function rememberCall(conference: string, toggles: readonly CallToggle[] | null): void {
  try {
    if (toggles) sessionStorage.setItem(KEY, JSON.stringify({ conference, toggles } satisfies Remembered))
    else sessionStorage.removeItem(KEY)
  } catch {
    // Nothing can be stored here: after a reload the person opens the call again.
  }
}
