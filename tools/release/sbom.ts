import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Manifest, manifestOf, RELEASED } from "../packages/pack.ts"

const ROOT = join(import.meta.dirname, "../..")
const SHIPPED = [...RELEASED.map((name) => `packages/${name}`), "apps/web"]

/**
 * The components and dependencies of the packages and the app, in CycloneDX, with the versions of the lock file. npm
 * makes it from a project that has nothing else. In the whole workspace, `--omit dev` would drop a dependency that one
 * workspace ships and another one uses for development.
 */
export function sbom(): string {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-sbom-"))
  const npm = (...args: readonly string[]): string =>
    execFileSync("npm", args, { cwd: directory, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
  try {
    const { name, version, repository } = manifestOf(ROOT)
    writeManifest(directory, { name, version, ...(repository && { repository }), workspaces: SHIPPED })
    for (const folder of SHIPPED) {
      const { devDependencies: _, ...manifest } = manifestOf(join(ROOT, folder))
      writeManifest(join(directory, folder), manifest)
    }
    cpSync(join(ROOT, "package-lock.json"), join(directory, "package-lock.json"))
    npm("install", "--package-lock-only", "--offline", "--ignore-scripts", "--silent")
    return npm("sbom", "--sbom-format", "cyclonedx", "--package-lock-only")
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function writeManifest(directory: string, manifest: Manifest): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest))
}
