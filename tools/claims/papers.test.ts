import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { missingTest, rowsOf } from "./claims.ts"

const ROOT = join(import.meta.dirname, "../..")
const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : null)
const KINDS = ["test", "screen", "figure", "not done"]

/** @returns one complaint a line, empty if each item leads to a test, an experiment or a reason that is there. */
function unshownItems(document: string, readFile: (path: string) => string | null): string[] {
  return rowsOf(document).flatMap(([item = "", kind = "", where = "", shownBy = ""]) => {
    if (item === "item") return []
    if (!KINDS.includes(kind)) return [`${item}: "${kind}" is no kind`]
    if (kind === "figure") {
      return readFile(`bench/src/${where}/${where}-experiment.ts`) === null ? [`${item}: no experiment ${where}`] : []
    }
    if (kind === "not done") {
      const path = /^\[[^\]]+\]\(([^)]+)\)$/u.exec(where)?.[1]
      return path !== undefined && shownBy !== "" && readFile(`docs/${path}`) !== null ? [] : [`${item}: no reason`]
    }
    if (kind === "screen" && !where.startsWith("e2e/tests/")) return [`${item}: ${where} uses no app`]
    return missingTest({ id: item, file: where, title: shownBy }, readFile(where))
  })
}

test("leads every item of the papers to a test, a screen, a figure or a reason", () => {
  const document = read("docs/papers.md")!
  expect(unshownItems(document, read)).toEqual([])
  const papers = document.split(/^## /mu).slice(1)
  expect(papers.map((paper) => rowsOf(paper).length > 20)).toEqual([true, true, true, true])
})

const files = (path: string) => (path === "a.test.ts" ? 'test("reads nothing of what is said", () => read())' : null)
const row = (...cells: readonly string[]) => `| ${cells.join(" | ")} |\n`

test.each([
  ["its test was renamed", row("1", "test", "a.test.ts", "learns nothing of what is said"), "has no test"],
  ["its file is gone", row("1", "test", "b.test.ts", "reads nothing of what is said"), "no file b.test.ts"],
  ["a screen is shown by no browser", row("1", "screen", "a.test.ts", "reads nothing of what is said"), "no app"],
  ["there is no such experiment", row("1", "figure", "speed", "all"), "no experiment speed"],
  ["it is not done, for a reason that nobody wrote", row("1", "not done", "[9](9.md)", "No."), "no reason"],
  ["its kind is unknown", row("1", "soon", "a.test.ts", "reads nothing of what is said"), "no kind"],
])("complains about an item when %s", (_what, document, complaint) => {
  expect(unshownItems(document, files).join("\n")).toContain(complaint)
})

test("accepts an item when its test exists", () => {
  expect(unshownItems(row("1", "test", "a.test.ts", "reads nothing of what is said"), files)).toEqual([])
})
