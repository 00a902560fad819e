/** Links of a package's README lead to files of the repository; packing makes them absolute (`pack.ts`). */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { RELEASED } from "./pack.ts"

const ROOT = join(import.meta.dirname, "../..")

test.each(RELEASED)("%s: links of its README lead to existing files", (name) => {
  const folder = join(ROOT, "packages", name)
  const links = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/\]\(([^)\s]*)\)/gu)].map(
    ([, link]) => link!,
  )
  const inside = links.filter((link) => !/^(?:https:|#)/u.test(link))
  expect(inside.length).toBeGreaterThan(0)
  expect(inside.filter((link) => !existsSync(join(folder, link.replace(/#.*/u, ""))))).toEqual([])
})
