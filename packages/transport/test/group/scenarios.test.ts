/** `vitest run -u` writes the files anew: read what has changed in them before you commit it. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { expect, test } from "vitest"
import { play } from "./scenario.ts"

const files = globSync(join(import.meta.dirname, "scenarios/*.txt")).sort()

test("finds scenarios", () => {
  expect(files.length).toBeGreaterThanOrEqual(7)
})

test.each(files.map((file) => ({ name: basename(file, ".txt"), file })))(
  "plays as written: $name",
  async ({ file }) => {
    await expect(play(readFileSync(file, "utf8"))).toMatchFileSnapshot(file)
  },
)
