import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { unbackedClaims } from "./claims.ts"

const ROOT = join(import.meta.dirname, "../..")
const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : null)

const readme =
  "## What is protected, and from whom\n\n| who | cannot | shown by |\n| --- | --- | --- |\n| server | read | S1 |\n"
const threats = "| id | tries to |\n| --- | --- |\n| S1 | read |\n"
const tests = "| id | file | test |\n| --- | --- | --- |\n| S1 | a.test.ts | reads nothing of what is said |\n"
const files = {
  read: (path: string) => (path === "a.test.ts" ? 'test("reads nothing of what is said", () => {})' : null),
}

test("names the test behind every claim of README and threats", () => {
  const documents = {
    threats: read("docs/threats.md")!,
    readme: read("README.md")!,
    tests: read("docs/threats-tests.md")!,
  }
  expect(unbackedClaims(documents, { read })).toEqual([])
})

test("accepts a claim whose test exists", () => {
  expect(unbackedClaims({ threats, readme, tests }, files)).toEqual([])
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

test("counts no skipped test as the test of a claim", () => {
  const skipped = { read: () => 'test.skip("reads nothing of what is said", () => {})' }
  expect(unbackedClaims({ threats, readme, tests }, skipped)).toEqual([expect.stringContaining("has no test")])
})
