import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { mutants } from "./mutants.ts"

test.each(mutants)("$name: still breaks its target (npm run mutants says whether it is found)", ({ edits }) => {
  for (const { file, find, replace } of edits) {
    const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8")
    expect(source.split(find).length, `${file}: ${find}`).toBe(2)
    expect(replace).not.toBe(find)
  }
})
