import { expect, test } from "vitest"
import { complaintsAbout } from "../../../../transport/test/mutants/judge.ts"
import { keyMutants } from "./mutants.ts"

test.each(keyMutants)("$name: still breaks its target (npm run mutants:keys runs it)", (mutant) => {
  expect(complaintsAbout(mutant, new URL(`../../../../${mutant.package}/src/`, import.meta.url))).toEqual([])
})

test("names each mutant once", () => {
  const names = keyMutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
