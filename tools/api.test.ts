import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"
import { API_ENTRIES, extractApi, unexplainedNames } from "./api.ts"

const CORE = fileURLToPath(new URL("../packages/core", import.meta.url))
const entry = join(CORE, "dist/changed-api/index.d.ts")
afterAll(() => rmSync(join(entry, ".."), { recursive: true }))

test("a public interface other than the reported one is noticed", () => {
  mkdirSync(join(entry, ".."), { recursive: true })
  writeFileSync(entry, "/** New. @public */\nexport type Added = string\n")
  expect(extractApi("core", { write: false, entry })).toEqual({ changed: true, complaints: [] })
})

test("a code that no table of a document explains is named", () => {
  const report = readFileSync(join(CORE, "etc/core.api.md"), "utf8")
  const missing = unexplainedNames(report, "| `queue-full` | wait |\n| `view` | |\n| `changed-key` | |\n")
  expect(missing).toEqual(expect.arrayContaining(["too-large", "closed", "forged-signal", "status"]))
  for (const name of ["queue-full", "view", "changed-key"]) expect(missing).not.toContain(name)
})

test("the reports name no place on the machine that made them", () => {
  for (const name of Object.keys(API_ENTRIES)) {
    const report = readFileSync(join(CORE, `etc/${name}.api.md`), "utf8")
    expect(report).not.toMatch(/node_modules|packages\/|dist\//u)
  }
})

test("the reference of the public interface can be generated, without a warning", async () => {
  const typedoc = fileURLToPath(new URL("node_modules/.bin/typedoc", import.meta.url))
  const args = ["--options", join(CORE, "typedoc.json"), "--emit", "none", "--treatWarningsAsErrors"]
  await promisify(execFile)(typedoc, args, { cwd: CORE })
})
