/**
 * Builds the part of the published packages that the compiler does not make: `dist/browser` of `@keymoot/core`. It
 * holds the engine's worker, and the entry for pages without a bundler. Runs after `tsc -b`.
 */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundleForPages } from "./packages/browser-bundle.ts"

const PACKAGES = fileURLToPath(new URL("../packages", import.meta.url))
const OUTPUT = join(PACKAGES, "core/dist/browser")

/** The compiler leaves behind what it once made of sources that are gone. */
function removeStale(name: string): void {
  const built = join(PACKAGES, name, "dist/src")
  const sources = new Set(readdirSync(join(PACKAGES, name, "src"), { recursive: true, encoding: "utf8" }))
  for (const file of readdirSync(built, { recursive: true, encoding: "utf8" })) {
    const source = file.replace(/(?:\.d\.ts|\.js)(?:\.map)?$/u, ".ts")
    if (source !== file && !sources.has(source)) rmSync(join(built, file))
  }
}

for (const name of ["gke", "transport", "core", "react"]) removeStale(name)
rmSync(OUTPUT, { recursive: true, force: true })
await bundleForPages(OUTPUT)
