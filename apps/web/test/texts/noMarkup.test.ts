import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

/** All ways in which a page makes markup, or a program, of a text. */
const WAYS =
  /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|createContextualFragment|setHTMLUnsafe|parseFromString|srcdoc|srcDoc)\b|\bdocument\.write|\beval\(|\bnew Function\b/u

/** Names the sinks to refuse them. */
const POLICY = "trustedTypes.ts"
const SOURCES = join(import.meta.dirname, "../../src")

it("never turns a text that a peer sends into markup", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/u.test(file))
  expect(files.length).toBeGreaterThan(100)
  const found = files.filter((file) => file !== POLICY && WAYS.test(readFileSync(join(SOURCES, file), "utf8")))
  expect(found).toEqual([])
})
