import { execFileSync } from "node:child_process"
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { cp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { manifestOf, pack, PUBLISHED } from "./pack.ts"
import { BUILT_APP, buildServerPackage, SERVER_PACKAGE } from "./server-package.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** The packages as `npm publish` would send them. */
export class PackedPackages {
  readonly #directory = mkdtempSync(join(tmpdir(), "keymoot-packed-"))
  readonly #tarballs = new Map<string, string>()

  /** Builds and packs them: seconds, if the sources have been compiled before. */
  constructor() {
    run("npm", ["run", "--silent", "build:packages"])
    for (const name of PUBLISHED) this.#tarballs.set(name, pack(join(ROOT, "packages", name), this.#directory))
  }

  tarball(name: (typeof PUBLISHED)[number]): string {
    return this.#tarballs.get(name)!
  }

  /**
   * Makes a project outside the repository with a copy of that folder's files, as after `npm install`, but without a
   * network. The packages are unpacked. Third-party packages are linked: exactly those that the packages or the project
   * declare, and `more`.
   */
  async project(folder: string, more: readonly string[] = []): Promise<Project> {
    const source = join(ROOT, folder)
    const directory = mkdtempSync(join(tmpdir(), "keymoot-project-"))
    await cp(source, directory, { recursive: true, filter: isSource })
    for (const name of PUBLISHED) unpack(this.tarball(name), join(directory, "node_modules/@keymoot", name))
    const manifests = PUBLISHED.map((name) => join(directory, "node_modules/@keymoot", name))
    const needed = new Set([
      ...more,
      ...namesOf(directory, ["dependencies", "devDependencies"]),
      ...manifests.flatMap((manifest) => namesOf(manifest, ["dependencies", "peerDependencies"])),
    ])
    for (const name of needed) linkInstalled(name, source, directory)
    return { directory, path: [join(source, "node_modules/.bin"), join(ROOT, "node_modules/.bin")].join(delimiter) }
  }

  /** Installs `@keymoot/verify` there with the link to its program, as `npm install` does. */
  installVerifier({ directory }: Project): void {
    const installed = join(directory, "node_modules/@keymoot/verify")
    unpack(pack(join(ROOT, "packages/verify"), this.#directory), installed)
    for (const name of namesOf(installed, ["dependencies"])) linkInstalled(name, ROOT, directory)
    const args = ["rebuild", "--offline", "--ignore-scripts", "@keymoot/verify"]
    execFileSync("npm", args, { cwd: directory, stdio: ["ignore", "ignore", "inherit"] })
  }

  dispose(): void {
    rmSync(this.#directory, { recursive: true })
  }
}

/** `path`: where the programs of its scripts are, to be put before `PATH`. */
export type Project = { readonly directory: string; readonly path: string }

/**
 * Builds and packs `@keymoot/server`, and makes a project outside the repository that has installed it. The package's own
 * `dist` stays as it is: a server may run from there.
 */
export async function serverProject(webDir = BUILT_APP): Promise<Project> {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-server-"))
  const copy = join(directory, "package")
  await cp(SERVER_PACKAGE, copy, { recursive: true, filter: isSource })
  await buildServerPackage(copy, webDir)
  const installed = join(directory, "node_modules/@keymoot/server")
  unpack(pack(copy, directory, "packages/server"), installed)
  for (const name of namesOf(installed, ["dependencies"])) linkInstalled(name, SERVER_PACKAGE, directory)
  return { directory, path: join(ROOT, "node_modules/.bin") }
}

function isSource(path: string): boolean {
  return !/[\\/](?:node_modules|dist)$/u.test(path)
}

function unpack(tarball: string, into: string): void {
  mkdirSync(into, { recursive: true })
  run("tar", ["-xzf", tarball, "--strip-components=1", "-C", into])
}

function linkInstalled(name: string, from: string, project: string): void {
  const link = join(project, "node_modules", name)
  if (existsSync(link)) return
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(findInstalled(name, from), link, "junction")
}

type Kind = "dependencies" | "devDependencies" | "peerDependencies"

function namesOf(directory: string, kinds: readonly Kind[]): string[] {
  const manifest = manifestOf(directory)
  return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
}

/** As Node looks for it from that folder up; links into this repository's own workspaces do not count. */
function findInstalled(name: string, from: string): string {
  const candidate = join(from, "node_modules", name)
  if (existsSync(candidate) && !lstatSync(candidate).isSymbolicLink()) return candidate
  if (from === dirname(from)) throw new Error(`${name} is declared and not installed`)
  return findInstalled(name, dirname(from))
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] })
}
