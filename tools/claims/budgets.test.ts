/** The table in docs/budgets.md says what the code says, for each adversary and resource, and names tests that exist. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { codeIn, exported, figuresIn, ROOT, rowsOf } from "./stated-bounds.ts"

const ADVERSARIES = ["stranger", "waiting person", "viewer", "member", "host"]
const RESOURCES = ["memory", "CPU", "disk", "network"]

const rows = rowsOf("docs/budgets.md", "adversary").map(
  ([adversary = "", resource = "", bound = "", , named = "", shown = ""]) => {
    return { adversary, resource, bound, names: codeIn(named), tests: codeIn(shown) }
  },
)

test("has a budget for each adversary and resource", () => {
  const stated = new Set(rows.map(({ adversary, resource }) => `${adversary}: ${resource}`))
  const all = ADVERSARIES.flatMap((adversary) => RESOURCES.map((resource) => `${adversary}: ${resource}`))
  expect([...stated].toSorted()).toEqual(all.toSorted())
})

test.each(rows)("$adversary, $resource: $bound", async ({ bound, names, tests }) => {
  expect(await Promise.all(names.map(exported))).toEqual(figuresIn(bound))
  expect(tests).not.toEqual([])
  for (const file of tests) expect(existsSync(join(ROOT, file)), file).toBe(true)
})

/** A burst or a minimum is played together with its rate or with the shared bound. */
const PLAYED_WITH_ANOTHER = /_(?:PER_SECOND|BURST|MIN)$/u
/** How many entries a page draws at first: no test has a page draw ten times as many. */
const NOT_PLAYED = ["DRAWN_ENTRIES"]

/** Tests of the server configure smaller bounds and play ten times these. */
const configuresBounds = (tests: readonly string[]): boolean =>
  tests.every((file) => file.startsWith("apps/signaling/"))
const playedAsStated = rows.filter(({ names, tests }) => names.length > 0 && !configuresBounds(tests))

test.each(playedAsStated)("a test plays ten times $names", ({ names, tests }) => {
  const text = tests.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n")
  const isPlayed = (name: string): boolean => new RegExp(`\\b10 \\* (?:\\w+ \\* )?${name}\\b`, "u").test(text)
  const alone = names.filter((name) => !PLAYED_WITH_ANOTHER.test(name) && !NOT_PLAYED.includes(name))
  expect(alone.filter((name) => !isPlayed(name))).toEqual([])
  expect(names.some(isPlayed)).toBe(true)
})

// A bound of a table of budgets that no test knows can be changed without anybody noticing what it was for.
test.each(rows.filter(({ names }) => names.length > 0))("a test knows $names", ({ names, tests }) => {
  const text = tests.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n")
  expect(names.filter((name) => text.includes(name))).not.toEqual([])
})
