import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { splitText } from "../../src/session/splitText.ts"

/** A lone surrogate. */
const HALF = /\p{Surrogate}/u

describe("splitText", () => {
  it("keeps a text that fits into one message", () => {
    expect(splitText("word ".repeat(2), 10)).toEqual(["word word "])
    expect(splitText("", 10)).toEqual([""])
  })

  it("cuts at the last line break, else at the last space, else anywhere", () => {
    expect(splitText("one\ntwo three", 10)).toEqual(["one", "two three"])
    expect(splitText("one two three", 10)).toEqual(["one two", "three"])
    expect(splitText("onetwothree", 10)).toEqual(["onetwothre", "e"])
    expect(splitText("0123456789 word", 10)).toEqual(["0123456789", "word"])
  })

  it("cuts no character of two code units in half", () => {
    expect(splitText("123456789😀😀", 10)).toEqual(["123456789", "😀😀"])
  })

  it("loses nothing but the white space at a cut when the text is long", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "😀"), maxLength: 200 })
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (text, lengthMax) => {
        const pieces = splitText(text, lengthMax)
        expect(pieces.every((piece) => piece.length <= lengthMax && !HALF.test(piece))).toBe(true)
        expect(pieces.join("").replaceAll(/\s/gu, "")).toBe(text.replaceAll(/\s/gu, ""))
        expect(text.length - pieces.join("").length).toBeLessThan(pieces.length)
      }),
    )
  })
})
