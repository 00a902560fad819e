import { expect, it } from "vitest"
import { colourName } from "../../src/board/names/colourName.ts"
import * as de from "../../src/i18n/de/index.ts"
import * as en from "../../src/i18n/en/index.ts"

it.each([
  ["#1e1e1e", "black", "Schwarz"],
  ["#E03131", "red", "Rot"],
  ["#f08c00", "orange", "Orange"],
  ["#ffc9c9", "light red", "Hellrot"],
  ["#a5d8ff", "light blue", "Hellblau"],
  ["#185fa3", "blue", "Blau"],
  ["#fefefe", "white", "Weiß"],
] as const)("names %s in words", (colour, english, german) => {
  const name = colourName(colour)!
  expect([en.board.colours[name], de.board.colours[name]]).toEqual([english, german])
})

it.each(["transparent", "", "#12345", "#1234567", "rgb(0,0,0)"])("gives %j no name", (text) => {
  expect(colourName(text)).toBeNull()
})
