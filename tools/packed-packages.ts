import { execFileSync } from "node:child_process"
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { cp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("..", import.meta.url))
export const PUBLISHED = ["gke", "transport", "core"] as const

type Manifest = { readonly [kind in "dependencies" | "devDependencies" | "peerDependencies"]?: Record<string, string> }

/** The three packages as `npm publish` would send them. */
export class PackedPackages {
  readonly #directory = mkdtempSync(join(tmpdir(), "keymoot-packed-"))

  /** Builds and packs them: seconds, if the sources have been compiled before. */
  constructor() {
    run("npm", ["run", "--silent", "build:packages"])
    const which = PUBLISHED.flatMap((name) => ["--workspace", `packages/${name}`])
    run("npm", ["pack", "--silent", "--pack-destination", this.#directory, ...which])
  }

  tarball(name: (typeof PUBLISHED)[number]): string {
    const file = readdirSync(this.#directory).find((file) => file.startsWith(`keymoot-${name}-`))
    if (file === undefined) throw new Error(`npm packed no ${name}`)
    return join(this.#directory, file)
  }

  /**
   * A project outside the repository with a copy of that folder's files, as after `npm install`, but without a network: the
   * packages are unpacked, and of the third parties' exactly those that they or the project declare are linked, and `more`.
   */
  async project(folder: string, more: readonly string[] = []): Promise<Project> {
    const source = join(ROOT, folder)
    const directory = mkdtempSync(join(tmpdir(), "keymoot-project-"))
    const filter = (path: string): boolean => !/[\\/](?:node_modules|dist)$/u.test(path)
    await cp(source, directory, { recursive: true, filter })
    for (const name of PUBLISHED) this.#unpack(name, join(directory, "node_modules/@keymoot", name))
    const manifests = PUBLISHED.map((name) => join(directory, "node_modules/@keymoot", name))
    const needed = new Set([
      ...more,
      ...namesOf(directory, ["dependencies", "devDependencies"]),
      ...manifests.flatMap((manifest) => namesOf(manifest, ["dependencies", "peerDependencies"])),
    ])
    for (const name of needed) {
      const link = join(directory, "node_modules", name)
      if (existsSync(link)) continue
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(findInstalled(name, source), link, "junction")
    }
    return { directory, path: [join(source, "node_modules/.bin"), join(ROOT, "node_modules/.bin")].join(delimiter) }
  }

  dispose(): void {
    rmSync(this.#directory, { recursive: true })
  }

  #unpack(name: (typeof PUBLISHED)[number], into: string): void {
    mkdirSync(into, { recursive: true })
    run("tar", ["-xzf", this.tarball(name), "--strip-components=1", "-C", into])
  }
}

/** `path`: where the programs of its scripts are, to be put before `PATH`. */
export type Project = { readonly directory: string; readonly path: string }

function namesOf(directory: string, kinds: readonly (keyof Manifest)[]): string[] {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest
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
