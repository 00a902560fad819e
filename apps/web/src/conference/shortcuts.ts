/** What the keyboard can do anywhere in a conference, also while one is writing; the whiteboard has keys of its own. */
export const SHORTCUTS = ["chat", "people", "security", "board", "hand", "help"] as const
export type Shortcut = (typeof SHORTCUTS)[number]

/** By place on the keyboard: with Alt, some systems write other letters. */
const CODES: Readonly<Record<string, Shortcut>> = {
  KeyC: "chat",
  KeyP: "people",
  KeyS: "security",
  KeyB: "board",
  KeyH: "hand",
}
export const KEYS: Readonly<Record<Shortcut, string>> = {
  chat: "Alt+C",
  people: "Alt+P",
  security: "Alt+S",
  board: "Alt+B",
  hand: "Alt+H",
  help: "?",
}

type Key = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "defaultPrevented">

/** @param writing the focus is where a question mark is written, or on the board, which has a help of its own */
export function shortcutOf(event: Key, writing: boolean): Shortcut | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey) return null
  if (event.altKey) return event.shiftKey ? null : (CODES[event.code] ?? null)
  return event.key === "?" && !writing ? "help" : null
}

export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], .excalidraw") !== null
}
