import type { KeyboardEvent } from "react"

/** The code of a key that an input method took. */
const TAKEN_KEY = 229

/**
 * Whether the key is for an input method: Enter selects a word, and Escape discards it. Safari ends the composition
 * before the key event that confirms it, so only the code tells there (WebKit bug 165004).
 */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === TAKEN_KEY
}
