import { expect, it } from "vitest"
import { KEYS, SHORTCUTS, shortcutOf } from "../../src/conference/shortcuts.ts"

const key = (changes: Partial<KeyboardEvent>) => ({
  key: "",
  code: "",
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  defaultPrevented: false,
  ...changes,
})

it("finds a shortcut by its key's place when Alt writes another letter", () => {
  for (const shortcut of SHORTCUTS) {
    const letter = /^Alt\+(.)$/u.exec(KEYS[shortcut])?.[1]
    const event =
      letter === undefined ? key({ key: "?", shiftKey: true }) : key({ key: "ç", code: `Key${letter}`, altKey: true })
    expect(shortcutOf(event, false)).toBe(shortcut)
  }
})

it("leaves the letters of the Option key to a text", () => {
  const sharpS = key({ key: "ß", code: "KeyS", altKey: true })
  expect([shortcutOf(sharpS, true, true), shortcutOf(sharpS, true, false)]).toEqual([null, "security"])
})

it("leaves a question mark to a text field, and the browser its own keys", () => {
  expect(shortcutOf(key({ key: "?", shiftKey: true }), true)).toBeNull()
  expect(shortcutOf(key({ key: "c", code: "KeyC", altKey: true, ctrlKey: true }), false)).toBeNull()
  expect(shortcutOf(key({ key: "c", code: "KeyC" }), false)).toBeNull()
  expect(shortcutOf(key({ key: "p", code: "KeyP", altKey: true, shiftKey: true }), false)).toBeNull()
  expect(shortcutOf(key({ key: "c", code: "KeyC", altKey: true, defaultPrevented: true }), false)).toBeNull()
})
