/** The shortcuts that work anywhere in a conference, while typing too except on Apple systems. The board has its own. */
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

/** The Option key of Apple's systems is Alt, and writes letters: with S it is "ß". */
export const OPTION_WRITES = typeof navigator !== "undefined" && /^(?:Mac|iP)/u.test(navigator.platform)

/**
 * @param writing the focus is in a text, or on the board, which has its own help
 * @param altWrites Alt writes letters there
 */
export function shortcutOf(event: Key, writing: boolean, altWrites = false): Shortcut | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey) return null
  if (event.altKey) return event.shiftKey || altWrites ? null : (CODES[event.code] ?? null)
  return event.key === "?" && !writing ? "help" : null
}

/** Whether a dialog or a menu has the keyboard for itself. */
export function isInDialog(): boolean {
  const open = '[role="dialog"][data-state="open"]:not(.popover), [role="alertdialog"], [role="menu"]'
  return document.querySelector(open) !== null
}

export function isWriting(target: EventTarget | null): boolean {
  return isText(target) || (target instanceof Element && target.closest(".excalidraw") !== null)
}

export function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null
}
