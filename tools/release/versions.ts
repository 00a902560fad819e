/** The versions in the manifests and in the lock file: all workspaces have one, and ask for exactly that of each other. */

const KINDS = ["dependencies", "devDependencies", "peerDependencies"] as const

type Versioned = { name?: string; version?: string } & { [kind in (typeof KINDS)[number]]?: Record<string, string> }
type Lock = { version?: string; packages: Record<string, Versioned> }

/** Each workspace's folder, "" for the root, as the lock file lists them. */
export function workspacesOf(lock: string): string[] {
  const { packages } = JSON.parse(lock) as Lock
  return Object.keys(packages).filter((path) => !path.includes("node_modules/"))
}

/** A workspace's manifest with the version, and otherwise as it is formatted. */
export function manifestAt(manifest: string, version: string): string {
  return manifest.replaceAll(/^( {2}"version"|.*"@keymoot\/[a-z\d-]+"): "\d[^"]*"/gmu, `$1: "${version}"`)
}

/** A text for people, whose commands name packages with that version. */
export function textAt(text: string, version: string): string {
  return text.replaceAll(/(@keymoot\/[a-z\d-]+@)\d+\.\d+\.\d+/gu, `$1${version}`)
}

/** The lock file with the version, as npm would write it. */
export function lockAt(lock: string, version: string): string {
  const parsed = JSON.parse(lock) as Lock
  parsed.version = version
  for (const path of workspacesOf(lock)) setVersion(parsed.packages[path]!, version)
  return `${JSON.stringify(parsed, null, 2)}\n`
}

function setVersion(manifest: Versioned, version: string): void {
  manifest.version = version
  for (const kind of KINDS) {
    const dependencies = manifest[kind] ?? {}
    for (const name of Object.keys(dependencies)) if (name.startsWith("@keymoot/")) dependencies[name] = version
  }
}

/** Whether it is a version, `major.minor.patch`, and higher than the other one. */
export function isHigher(version: string, than: string): boolean {
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/u.test(version)) return false
  const [one, other] = [version, than].map((text) => text.split(".").map(Number))
  const differing = one!.findIndex((part, index) => part !== other![index])
  return differing !== -1 && one![differing]! > other![differing]!
}
