/** The published packages, as packed: what a stranger's tools say about them. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { builtinModules } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testDocuments } from "./documents.ts"
import { PackedPackages, type Project, PUBLISHED } from "./packed-packages.ts"

const BIN = fileURLToPath(new URL("../node_modules/.bin", import.meta.url))
const run = promisify(execFile)

let packed: PackedPackages
let project: Project
const unpacked = (name: string): string => join(project.directory, "node_modules/@keymoot", name)
beforeAll(async () => {
  packed = new PackedPackages()
  // The one that depends on nothing else.
  project = await packed.project("examples/import-map-chat")
}, 180_000)
afterAll(() => {
  rmSync(project.directory, { recursive: true })
  packed.dispose()
})

test.each(PUBLISHED)("%s: publint and attw have nothing to say against it", async (name) => {
  await run(join(BIN, "publint"), ["--strict", packed.tarball(name)])
  await run(join(BIN, "attw"), ["--profile", "esm-only", packed.tarball(name)])
})

test.each(PUBLISHED)("%s: depends on what it imports, and on nothing else", (name) => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(unpacked(name), "package.json"), "utf8"))
  expect(importedPackages(join(unpacked(name), "dist/src"))).toEqual(
    Object.keys({ ...dependencies, ...peerDependencies }).toSorted(),
  )
})

test.each(["core", "core/node", "gke", "transport", "transport/host", "transport/signaling-protocol"])(
  "Node loads @keymoot/%s as it is",
  async (entry) => {
    const script = `await import("@keymoot/${entry}")`
    await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: project.directory })
  },
)

test("the entry of a page loads no cryptography: that is the worker's", async () => {
  const bundle = await rolldown({ input: join(unpacked("core"), "dist/src/index.js"), platform: "browser" })
  const { output } = await bundle.generate({ format: "es" })
  await bundle.close()
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []))
  expect(modules.filter((id) => id.includes("/yjs/"))).not.toEqual([])
  expect(modules.filter((id) => /@noble\/(?!hashes\/utils\.js)|libsodium|@peculiar/u.test(id))).toEqual([])
})

testDocuments(() => packed)

/** Third parties' and each other's, sorted. */
function importedPackages(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(?:js|d\.ts)$/u.test(file),
  )
  const texts = files.map((file) => readFileSync(join(directory, file), "utf8"))
  const specifiers = texts.flatMap((text) =>
    [...text.matchAll(/(?:^import |\bfrom |\bimport\()"([^"#.][^"]*)"/gmu)].map(([, name]) => name!),
  )
  const packages = specifiers.map((specifier) => /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)![0])
  return [...new Set(packages)].filter((name) => !name.startsWith("node:") && !builtinModules.includes(name)).toSorted()
}
