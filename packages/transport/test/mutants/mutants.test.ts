import { expect, test } from "vitest"
import { complaintsAbout } from "./judge.ts"
import { mutants } from "./mutants.ts"

const SOURCES = new URL("../../src/", import.meta.url)

test.each(mutants)("$name: still breaks its target (npm run mutants says whether it is found)", (mutant) => {
  expect(complaintsAbout(mutant, SOURCES)).toEqual([])
})

test("names a mutant that breaks nothing, or the file itself", () => {
  const here = new URL("./", import.meta.url)
  const complaintsOf = (find: string, replace: string): string[] =>
    complaintsAbout({ edits: [{ file: "judge.ts", find, replace }] }, here)
  const place = "export function complaintsAbout("
  expect(complaintsOf(place, "function complaintsAbout(")).toEqual([])
  expect(complaintsOf(place, "")).toEqual([expect.stringContaining("cannot be parsed")])
  expect(complaintsOf(place, place)).toEqual([expect.stringContaining("nothing changes")])
  expect(complaintsOf("in no file", "")).toEqual([expect.stringContaining("0 places")])
  expect(complaintsOf("import ", "")).toContainEqual(expect.stringContaining("places are import"))
})
