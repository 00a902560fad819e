import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { conditionalRows, unbackedClaims } from "./claims.ts"

const ROOT = join(import.meta.dirname, "../..")
const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : null)

/** They need Redis and PostgreSQL, or a system that lets a test read a browser's memory. */
const CONDITIONAL = [
  "X7 apps/signaling/test/cluster.test.ts",
  "X9 apps/signaling/test/recovery.test.ts",
  "D6 e2e/tests/security/keys-in-memory.test.ts",
]

const readme =
  "## What is protected, and from whom\n\n| who | cannot | shown by |\n| --- | --- | --- |\n| server | read | S1 |\n"
const threats = "| id | tries to |\n| --- | --- |\n| S1 | read |\n"
const tests = "| id | file | test |\n| --- | --- | --- |\n| S1 | a.test.ts | reads nothing of what is said |\n"
const files = {
  read: (path: string) => (path === "a.test.ts" ? 'test("reads nothing of what is said", () => read())' : null),
}

test("names the test behind every claim of README and threats", () => {
  const documents = {
    threats: read("docs/threats.md")!,
    readme: read("README.md")!,
    tests: read("docs/threats-tests.md")!,
  }
  expect(unbackedClaims(documents, { read })).toEqual([])
})

test("names the tests of claims that are skipped when a program is missing", () => {
  expect(conditionalRows(read("docs/threats-tests.md")!, { read })).toEqual(CONDITIONAL)
})

test("accepts a claim whose test exists", () => {
  expect(unbackedClaims({ threats, readme, tests }, files)).toEqual([])
  expect(conditionalRows(tests, files)).toEqual([])
})

test.each([
  ["a claim has no test", { threats: `${threats}| S2 | forge |\n`, readme, tests }, "no test is named for S2"],
  ["a README row names no claim", { threats, readme: `${readme}| host | lie | |\n`, tests }, '"host": names no claim'],
  ["a README row names an unknown claim", { threats, readme: readme.replace("S1", "S9"), tests }, "S9"],
  ["the test was renamed", { threats, readme, tests: tests.replace("reads nothing", "learns nothing") }, "no test"],
  ["the file is gone", { threats, readme, tests: tests.replace("a.test.ts", "b.test.ts") }, "no file b.test.ts"],
  ["a test backs no claim", { threats, readme, tests: tests + tests.split("\n")[2]!.replace("S1", "S7") }, "no claim"],
  ["there are no claims at all", { threats: "", readme, tests: "" }, "no row with an id"],
])("complains when %s", (_what, documents, complaint) => {
  expect(unbackedClaims(documents, files).join("\n")).toContain(complaint)
})

const run = '("reads nothing of what is said", () => read())'

test.each([
  ["it is skipped", `test.skip${run}`],
  ["it is a comment", `// test${run}`],
  ["it has no body", 'test("reads nothing of what is said")'],
  ["its body is empty", 'test("reads nothing of what is said", () => {})'],
  ["it skips itself", 'test("reads nothing of what is said", () => { test.skip(true, "later"); read() })'],
  ["its options skip it", 'test("reads nothing of what is said", { skip: true }, () => read())'],
  ["its condition never holds", `test.skipIf(true).each([1])${run}`],
  ["its group is skipped", `describe.skip("a server", () => { test${run} })`],
  ["its group's condition never holds", `describe.skipIf(true)("a server", () => { test${run} })`],
  ["its group skips itself at its end", `test.describe("a server", () => { test${run}; test.skip() })`],
  ["its file skips itself", `test${run}\ntest.skip(true, "later")`],
  ["it has to fail", `test.fails${run}`],
  ["it is a step", `test("a server", async () => { await test.step${run} })`],
])("counts no test of a claim when %s", (_what, text) => {
  expect(unbackedClaims({ threats, readme, tests }, { read: () => text })).toEqual([
    expect.stringContaining("has no test"),
  ])
})

test.each([
  ["its group has a condition", `describe.skipIf(isMissing)("a server", () => { test.each([1])${run} })`],
  ["it has a condition", `test.skipIf(isMissing)${run}`],
  ["its file has a condition", `test.skip(missing !== null, missing)\ntest${run}`],
  [
    "it skips itself on a condition",
    'test("reads nothing of what is said", ({ skip }) => { skip(isMissing); read() })',
  ],
])("lists a test as conditional when %s", (_what, text) => {
  const read = () => text
  expect(unbackedClaims({ threats, readme, tests }, { read })).toEqual([])
  expect(conditionalRows(tests, { read })).toEqual(["S1 a.test.ts"])
})
