import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { keyMutants } from "./mutants.ts"

test.each(keyMutants)("$name: still breaks its target (npm run mutants:keys runs it)", (mutant) => {
  for (const { file, find, replace } of mutant.edits) {
    const source = readFileSync(new URL(`../../../../${mutant.package}/src/${file}`, import.meta.url), "utf8")
    expect(source.split(find).length, `${file}: ${find}`).toBe(2)
    expect(replace).not.toBe(find)
  }
})

test("names each mutant once", () => {
  const names = keyMutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
