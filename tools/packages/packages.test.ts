/** The published packages, as packed: what a stranger's tools say about them. */
import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testDocuments } from "./documents.ts"
import { NOTICES_FILE } from "../notices/notices.ts"
import { manifestOf, pack, webAddress } from "./pack.ts"
import { PUBLISHED } from "./pack.ts"
import { PackedPackages, type Project } from "./packed-packages.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const BIN = fileURLToPath(new URL("../../node_modules/.bin", import.meta.url))
const run = promisify(execFile)
/** As `npm run test:all` has it. */
const FULL = process.env["RUNS"] === "full"
if (!FULL) console.log("Skipped: publint, attw and a second packing. They take long, and npm run unit:all has them.")

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

test.skipIf(!FULL).each(PUBLISHED)("%s: publint and attw have nothing to say against it", async (name) => {
  await run(join(BIN, "publint"), ["--strict", packed.tarball(name)])
  await run(join(BIN, "attw"), ["--profile", "esm-only", packed.tarball(name)])
})

test.each(PUBLISHED)("%s: names its repository, and its README has absolute links only", (name) => {
  const { repository } = manifestOf(unpacked(name))
  expect(repository).toEqual({ ...manifestOf(ROOT).repository, directory: `packages/${name}` })
  const links = [...readFileSync(join(unpacked(name), "README.md"), "utf8").matchAll(/\]\(([^)]+)\)/gu)]
  expect(links.length).toBeGreaterThan(0)
  for (const [, target] of links) {
    const path = target!.replace(`${webAddress()}/blob/v${manifestOf(ROOT).version}/`, "").replace(/#.*/u, "")
    expect(existsSync(join(ROOT, path)), target).toBe(true)
  }
})

test.skipIf(!FULL)("packing twice gives the same bytes", () => {
  const again = pack(join(ROOT, "packages/core"), project.directory)
  expect(readFileSync(again).equals(readFileSync(packed.tarball("core")))).toBe(true)
})

test.each(PUBLISHED)("%s: depends on what it imports, and on nothing else", (name) => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(unpacked(name), "package.json"), "utf8"))
  expect(importedPackages(join(unpacked(name), "dist/src"))).toEqual(
    Object.keys({ ...dependencies, ...peerDependencies }).toSorted(),
  )
})

test.each([
  "core",
  "core/conformance",
  "core/early",
  "core/engine",
  "core/evidence",
  "core/node",
  "core/store",
  "react",
  "gke",
  "transport",
  "transport/host",
  "transport/node",
  "transport/signaling-protocol",
])("Node loads @keymoot/%s as it is", async (entry) => {
  const script = `await import("@keymoot/${entry}")`
  await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: project.directory })
})

test("the entry of a page loads no cryptography: that is the worker's", async () => {
  const bundle = await rolldown({ input: join(unpacked("core"), "dist/src/index.js"), platform: "browser" })
  const { output } = await bundle.generate({ format: "es" })
  await bundle.close()
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []))
  expect(modules.filter((id) => id.includes("/yjs/"))).not.toEqual([])
  expect(modules.filter((id) => /@noble\/(?!hashes\/utils\.js)|libsodium|@peculiar/u.test(id))).toEqual([])
})

test("core passes on the licences of what its browser files contain", () => {
  const notices = readFileSync(join(unpacked("core"), "dist/browser", NOTICES_FILE), "utf8")
  for (const work of ["libsodium-sumo 0", "@noble/curves 2", "yjs 13", "socket.io-client 4", "Unicode confusables"]) {
    expect(notices).toContain(`\n${work}`)
  }
})

// An application's bundler that minifies them again would drop calls that it takes for pure.
test("the files for pages have no annotations for bundlers", () => {
  const directory = join(unpacked("core"), "dist/browser")
  const files = readdirSync(directory)
  expect(files).toContain("keymoot-worker.js")
  const annotated = files.filter((file) => /[@#]__[A-Z_]+__/u.test(readFileSync(join(directory, file), "utf8")))
  expect(annotated).toEqual([])
})

test("npx runs the packed verifier, which accepts an archive and names a changed byte", async () => {
  packed.installVerifier(project)
  const { vectors } = JSON.parse(readFileSync(join(ROOT, "docs/protocol/vectors/archive.json"), "utf8")) as {
    vectors: { name: string; archive: string }[]
  }
  const good = Buffer.from(vectors.find(({ name }) => name === "all of it")!.archive, "hex")
  const changed = Buffer.from(good)
  changed[good.indexOf("Four")]! ^= 1
  expect(await npxVerify(good)).toEqual({ code: 0, output: expect.stringMatching(/\nVALID: 3 messages, .+\n$/u) })
  expect(await npxVerify(changed)).toEqual({ code: 1, output: expect.stringContaining("NOT VALID: message 2. ") })
  expect(await npxVerify(null)).toEqual({ code: 2, output: expect.stringContaining("ENOENT") })
})

/** Without a network, as after an installation. Null: there is no such file. */
async function npxVerify(archive: Buffer | null): Promise<{ code: number; output: string }> {
  const file = join(project.directory, "talk.keymoot")
  rmSync(file, { force: true })
  if (archive) writeFileSync(file, archive)
  const args = ["--offline", "--no", "@keymoot/verify", file]
  return run("npx", args, { cwd: project.directory }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  )
}

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
