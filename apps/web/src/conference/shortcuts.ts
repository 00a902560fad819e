/** The keyboard shortcuts that work anywhere in a conference, even while typing; the whiteboard has keys of its own. */
export const SHORTCUTS = [
  "chat",
  "people",
  "security",
  "board",
  "hand",
  "microphone",
  "camera",
  "diagnostics",
  "help",
] as const
export type Shortcut = (typeof SHORTCUTS)[number]

/** By physical key: with Alt, some systems produce other letters. */
const CODES: Readonly<Record<string, Shortcut>> = {
  KeyC: "chat",
  KeyP: "people",
  KeyS: "security",
  KeyB: "board",
  KeyH: "hand",
  KeyM: "microphone",
  KeyV: "camera",
  KeyI: "diagnostics",
}
export const KEYS: Readonly<Record<Shortcut, string>> = {
  chat: "Alt+C",
  people: "Alt+P",
  security: "Alt+S",
  board: "Alt+B",
  hand: "Alt+H",
  microphone: "Alt+M",
  camera: "Alt+V",
  diagnostics: "Alt+I",
  help: "?",
}

type Key = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "defaultPrevented">

/** @param writing the focus is in a text, or on the board, which has its own help */
export function shortcutOf(event: Key, writing: boolean): Shortcut | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey) return null
  if (event.altKey) return event.shiftKey ? null : (CODES[event.code] ?? null)
  return event.key === "?" && !writing ? "help" : null
}

export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], .excalidraw") !== null
}
