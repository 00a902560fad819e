import { expect, test } from "vitest"
import { complaintsAbout } from "../../../../transport/test/mutants/judge.ts"
import { mediaMutants } from "./mutants.ts"

const SOURCES = new URL("../../../src/", import.meta.url)

test.each(mediaMutants)("$name: still breaks its target (npm run mutants:call runs it)", (mutant) => {
  expect(complaintsAbout(mutant, SOURCES)).toEqual([])
})

test("names each mutant once", () => {
  const names = mediaMutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
