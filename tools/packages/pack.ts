import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, posix, relative, sep } from "node:path"

const ROOT = join(import.meta.dirname, "../..")
/** The libraries, each after those on which it depends. */
export const PUBLISHED = ["gke", "transport", "core", "react"] as const
/** All packages of a release, in the order in which they are published. */
export const RELEASED = [...PUBLISHED, "server", "verify-site", "verify"] as const

/** The fields of the project's manifests that its tools read. */
export type Manifest = {
  readonly name: string
  readonly version: string
  readonly workspaces?: readonly string[]
  readonly bin?: Readonly<Record<string, string>>
  readonly repository?: { readonly type: string; readonly url: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export function manifestOf(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest
}

/**
 * Packs a workspace as it is published, with the files that npm takes. Its manifest gets the repository of the root's
 * manifest. The links of its README become absolute, because they lead out of the package.
 *
 * @param folder its place in the repository, if this is a copy
 * @returns the tarball, whose bytes follow from the files
 */
export function pack(workspace: string, destination: string, folder = folderOf(workspace)): string {
  const staging = mkdtempSync(join(tmpdir(), "keymoot-pack-"))
  try {
    execFileSync("tar", ["-xzf", npmPack(workspace, staging), "-C", staging])
    const directory = join(staging, "package")
    publishManifest(directory, folder)
    const readme = join(directory, "README.md")
    writeFileSync(readme, absoluteLinks(readFileSync(readme, "utf8"), folder, manifestOf(directory).version))
    return npmPack(directory, destination)
  } finally {
    rmSync(staging, { recursive: true })
  }
}

function folderOf(workspace: string): string {
  return relative(ROOT, workspace).split(sep).join("/")
}

/** @returns the tarball's path */
function npmPack(directory: string, destination: string): string {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination]
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: directory, encoding: "utf8" })) as { filename: string }[]
  return join(destination, packed!.filename)
}

function publishManifest(directory: string, folder: string): void {
  const repository = { ...manifestOf(ROOT).repository, directory: folder }
  const page = `${webAddress()}/tree/main/${folder}#readme`
  const manifest = { ...manifestOf(directory), repository, homepage: page, bugs: `${webAddress()}/issues` }
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The repository's address for browsers. */
export function webAddress(): string {
  const url = manifestOf(ROOT).repository?.url
  if (url === undefined) throw new Error('The root\'s package.json names no "repository".')
  return url.replace(/^git\+/u, "").replace(/\.git$/u, "")
}

/** A document of that folder, whose relative links lead to the files of this version in the repository. */
export function absoluteLinks(markdown: string, folder: string, version: string): string {
  return markdown.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/gu, (_, path: string) => {
    return `](${webAddress()}/blob/v${version}/${posix.join(folder, path)})`
  })
}
