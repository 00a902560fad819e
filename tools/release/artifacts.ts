import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pack, RELEASED } from "../packages/pack.ts"
import { sbom } from "./sbom.ts"

const ROOT = join(import.meta.dirname, "../..")
const BUILDS = ["build:web", "build:packages", "build:server"] as const

/** Builds and packs everything into an empty directory: tarballs, hashes of the app's files, an SBOM, hashes of all. */
export function makeArtifacts(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  for (const build of BUILDS) execFileSync("npm", ["run", "--silent", build], { cwd: ROOT, stdio: "inherit" })
  const integrity = join(ROOT, "apps/web/dist/integrity.json")
  copyFileSync(integrity, join(directory, "app-integrity.json"))
  copyFileSync(integrity, join(ROOT, "packages/verify-site/release.json"))
  for (const name of RELEASED) pack(join(ROOT, "packages", name), directory)
  writeFileSync(join(directory, "sbom.cdx.json"), sbom())
  writeFileSync(join(directory, "SHA256SUMS"), hashesOf(directory))
}

/** As `sha256sum --check` reads it. */
export function hashesOf(directory: string): string {
  const line = (file: string): string => {
    const hash = createHash("sha256")
      .update(readFileSync(join(directory, file)))
      .digest("hex")
    return `${hash}  ${file}\n`
  }
  return readdirSync(directory)
    .filter((file) => file !== "SHA256SUMS")
    .toSorted()
    .map(line)
    .join("")
}
