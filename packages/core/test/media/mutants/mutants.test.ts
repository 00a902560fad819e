import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { mediaMutants } from "./mutants.ts"

test.each(mediaMutants)("$name: still breaks its target (npm run mutants:call runs it)", ({ edits }) => {
  for (const { file, find, replace } of edits) {
    const source = readFileSync(new URL(`../../../src/${file}`, import.meta.url), "utf8")
    expect(source.split(find).length, `${file}: ${find}`).toBe(2)
    expect(replace).not.toBe(find)
  }
})

test("names each mutant once", () => {
  const names = mediaMutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
