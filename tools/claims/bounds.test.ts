/** The table of bounds in docs/bounds.md says what the code says. */
import { expect, test } from "vitest"
import { codeIn, exported, figuresIn, rowsOf } from "./stated-bounds.ts"

const rows = rowsOf("docs/bounds.md", "what").map(([what = "", bound = "", , named = ""]) => {
  return { what, bound, names: codeIn(named) }
})

test("has a row for each bound", () => {
  expect(rows.length).toBeGreaterThan(20)
})

test.each(rows)("$what: $bound", async ({ bound, names }) => {
  const values = await Promise.all(names.map(exported))
  expect(values).not.toEqual([])
  const [ofMembers] = values
  if (typeof ofMembers !== "function") return expect(values).toEqual(figuresIn(bound))
  // The first figure is that of few members.
  const [few, ...others] = bound.matchAll(/(\d+)(?: with (\d+))?/gu)
  for (const [, figure, members = "2"] of [few!, ...others]) expect(ofMembers(Number(members))).toBe(Number(figure))
})
