/** A release is built from the installed packages, and its SBOM is made from the lock file: both have to be the same. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optional?: boolean
}

/** Paths of packages of which another version or other bytes are installed than the lock file has, or none. */
export function differingPackages(root: string): string[] {
  const locked = packagesOf(join(root, "package-lock.json"))
  // npm's own record of what it has installed.
  const installed = packagesOf(join(root, "node_modules/.package-lock.json"))
  const differs = (path: string, { version, integrity, optional }: Locked): boolean => {
    const found = installed.get(path)
    // Most optional packages are for other platforms.
    if (found === undefined) return optional !== true
    return found.integrity !== integrity || found.version !== version || versionAt(join(root, path)) !== version
  }
  const changed = [...locked].flatMap(([path, entry]) => (differs(path, entry) ? [path] : []))
  return [...changed, ...[...installed.keys()].filter((path) => !locked.has(path))]
}

/** Third-party packages by path. Empty if the file is missing. */
function packagesOf(path: string): Map<string, Locked> {
  if (!existsSync(path)) return new Map()
  const { packages } = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Locked> }
  return new Map(Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link))
}

function versionAt(directory: string): string | undefined {
  const path = join(directory, "package.json")
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Locked).version : undefined
}
