/**
 * Stores the client of this tree as that of the last release, for the compatibility suite. It is the published
 * code for Node, bundled with all its imports, so that later versions of Node can run it. Usage, at a
 * release: `npm run keep:release`.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { PackedPackages } from "./packages/packed-packages.ts"

const CORE = fileURLToPath(new URL("../packages/core", import.meta.url))
const SUITE = join(CORE, "test/compatibility")
const ENTRY = `export { Conference } from "@keymoot/core"
export { openIdentityInNode } from "@keymoot/core/node"
`

const { version } = JSON.parse(readFileSync(join(CORE, "package.json"), "utf8")) as { readonly version: string }
const packed = new PackedPackages()
// An example that depends on nothing else.
const project = await packed.project("examples/import-map-chat", ["yjs"])
const kept = mkdtempSync(join(tmpdir(), "keymoot-kept-"))
try {
  const input = join(project.directory, "entry.js")
  writeFileSync(input, ENTRY)
  const bundle = await rolldown({ input, platform: "node", tsconfig: false, external: ["node-datachannel"] })
  // Names stay: the suite changes the constant `PROTOCOL` in copies.
  const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } }
  await bundle.write({ file: join(kept, "client.js"), format: "es", codeSplitting: false, minify })
  await bundle.close()
  writeFileSync(join(kept, "package.json"), JSON.stringify({ name: "keymoot-client", version, type: "module" }))
  const reproducible = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]
  const file = join(SUITE, "last-release.tgz")
  execFileSync("tar", ["-czf", file, ...reproducible, "-C", kept, "client.js", "package.json"])
  console.log(`${file} is the client of ${version}.`)
} finally {
  packed.dispose()
  for (const directory of [project.directory, kept]) rmSync(directory, { recursive: true })
}
