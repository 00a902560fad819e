import { expect, it } from "vitest"
import { readPresence } from "../../src/board/elements/fields.ts"

const presence = { pointer: { x: 1, y: 2, tool: "pointer" }, button: "up", selectedElementIds: { abc: true } }

it("shows where an honest member points", () => {
  expect(readPresence(presence)).toEqual(presence)
  expect(readPresence({ ...presence, pointer: null })).toEqual({ ...presence, pointer: null })
})

it.each([
  ["nothing", null],
  ["a place that is none", { ...presence, pointer: { x: Number.NaN, y: 0, tool: "pointer" } }],
  ["an unknown tool", { ...presence, pointer: { x: 0, y: 0, tool: "hammer" } }],
  ["an unknown button", { ...presence, button: "sideways" }],
  ["no selection", { ...presence, selectedElementIds: null }],
  [
    "a selection of everything",
    { ...presence, selectedElementIds: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`e${i}`, true])) },
  ],
  [
    "a selection with a name that every object has",
    { ...presence, selectedElementIds: JSON.parse('{"__proto__":true}') as unknown },
  ],
])("shows no pointer for %s", (_name, state) => {
  expect(readPresence(state)).toBeNull()
})

it("takes no name and no picture from the pointer: names are the member list's", () => {
  expect(readPresence({ ...presence, username: "Ada", avatarUrl: "https://evil.example/x.png" })).toEqual(presence)
})
