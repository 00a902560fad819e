import { execFile } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"
import { API_ENTRIES, type ApiEntry, extractApi, reportOf, unexplainedNames } from "../api.ts"

/** As `npm run test:all` has it. */
const FULL = process.env["RUNS"] === "full"
if (!FULL) console.log("Skipped: docs/api beside its sources. It takes long, and npm run unit:all has it.")

const CORE = fileURLToPath(new URL("../../packages/core", import.meta.url))
const entry = join(CORE, "dist/changed-api/index.d.ts")
const reference = mkdtempSync(join(tmpdir(), "keymoot-reference-"))
afterAll(() => {
  for (const folder of [join(entry, ".."), reference]) rmSync(folder, { recursive: true })
})

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
  for (const name of Object.keys(API_ENTRIES) as ApiEntry[]) {
    const report = readFileSync(join(CORE, "../..", reportOf(name)), "utf8")
    expect(report).not.toMatch(/node_modules|packages\/|dist\//u)
  }
})

test.skipIf(!FULL)("docs/api is what npm run docs writes, without a warning", async () => {
  const here = join(import.meta.dirname, "..")
  const typedoc = join(here, "node_modules/.bin/typedoc")
  await promisify(execFile)(typedoc, ["--out", reference, "--treatWarningsAsErrors"], { cwd: here })
  expect(filesIn(join(here, "../docs/api"))).toEqual(filesIn(reference))
})

function filesIn(folder: string): Record<string, string> {
  const files = globSync("**/*.md", { cwd: folder }).toSorted()
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]))
}
