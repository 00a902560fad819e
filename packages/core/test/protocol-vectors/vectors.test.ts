import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { publishedVectors, VECTORS_FOLDER } from "./published.ts"

const generated = await publishedVectors()

test("publishes exactly the files that are generated", () => {
  const files = readdirSync(VECTORS_FOLDER).filter((name) => name.endsWith(".json"))
  expect(files.sort()).toEqual([...generated.keys()].sort())
})

test.each([...generated.keys()])("generates %s byte for byte", (name) => {
  expect(readFileSync(new URL(name, VECTORS_FOLDER), "utf8")).toBe(generated.get(name))
})
