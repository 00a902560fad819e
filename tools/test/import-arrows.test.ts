/** The import arrows of docs/ARCHITECTURE.md are a lint rule; a rule that cannot fail is none. */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")
let project: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "keymoot-arrows-"))
  copyFileSync(join(root, ".oxlintrc.json"), join(project, ".oxlintrc.json"))
  writeFileSync(join(project, "package.json"), `{ "type": "module" }`)
})
afterAll(() => rmSync(project, { recursive: true }))

/** The linter's message about a file at this place that imports that one; "" if there is none. */
function lint(file: string, imported: string): string {
  const path = join(project, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `import { something } from "${imported}"\n\nexport const used = something\n`)
  try {
    execFileSync(join(root, "node_modules/.bin/oxlint"), [file], { cwd: project, encoding: "utf8", stdio: "pipe" })
    return ""
  } catch (error) {
    return String((error as { stdout: string }).stdout)
  }
}

test.each([
  ["packages/gke/src/a.ts", "@keymoot/transport"],
  ["packages/gke/src/a.ts", "@keymoot/core"],
  ["packages/gke/src/a.ts", "../../transport/src/members/ids.ts"],
  ["packages/gke/src/a.ts", "node:crypto"],
  ["packages/transport/src/group/a.ts", "@keymoot/gke"],
  ["packages/transport/src/group/a.ts", "@keymoot/core"],
  ["packages/transport/src/group/a.ts", "../../../gke/src/index.ts"],
  ["packages/core/src/a.ts", "../../transport/src/group/core.ts"],
  ["packages/core/src/a.ts", "@keymoot/gke/src/index.ts"],
  ["packages/core/src/a.ts", "@keymoot/signaling"],
  ["packages/react/src/a.ts", "@keymoot/core"],
  ["packages/react/src/a.ts", "@keymoot/core/node"],
  ["packages/react/src/a.ts", "@keymoot/gke"],
  ["apps/web/src/a.ts", "@keymoot/gke"],
  ["apps/web/src/a.ts", "@keymoot/transport"],
  ["apps/web/src/a.ts", "../../../packages/core/src/index.ts"],
  ["apps/signaling/src/a.ts", "@keymoot/core"],
  ["apps/signaling/src/a.ts", "@keymoot/transport"],
  ["apps/signaling/src/a.ts", "@keymoot/transport/host"],
])("%s may not import %s", (file, imported) => {
  expect(lint(file, imported)).toContain("no-restricted-imports")
})

test.each([
  ["packages/gke/src/a.ts", "@noble/hashes/sha2.js"],
  ["packages/transport/src/group/a.ts", "../members/ids.ts"],
  ["packages/core/src/a.ts", "@keymoot/gke"],
  ["packages/core/src/a.ts", "@keymoot/transport"],
  ["packages/core/src/a.ts", "@keymoot/transport/host"],
  ["packages/react/src/a.ts", "@keymoot/core/store"],
  ["apps/web/src/a.ts", "@keymoot/core"],
  ["apps/signaling/src/a.ts", "@keymoot/transport/signaling-protocol"],
])("%s may import %s", (file, imported) => {
  expect(lint(file, imported)).toBe("")
})

test.each([
  ["packages/gke/tsconfig.json", "setTimeout(() => undefined, 1)"],
  ["packages/gke/tsconfig.json", "export const random = crypto.getRandomValues(new Uint8Array(8))"],
  ["packages/transport/tsconfig.cores.json", "export const now = performance.now()"],
  ["packages/transport/tsconfig.cores.json", "console.log(1)"],
])("under %s this does not compile: %s", (config, source) => {
  const file = join(project, "core.ts")
  writeFileSync(file, `${source}\nexport {}\n`)
  const options = { extends: join(root, config), include: [], exclude: [], files: [file], references: [] }
  const compilerOptions = { rootDir: project, noEmit: true, composite: false, incremental: false }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ ...options, compilerOptions }))
  const compile = (): string =>
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", project], { encoding: "utf8", stdio: "pipe" })
  expect(compile).toThrow()
  writeFileSync(file, "export const two = 1 + 1\n")
  expect(compile()).toBe("")
})
