/**
 * `npm run reproduce`: builds the app of this commit in two folders, one of them without git as from a tarball, and compares
 * all bytes. Ends with 1 if they differ.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"

const ROOT = join(import.meta.dirname, "..")
const DIST = "apps/web/dist"

/** Hashes by path of the app that this commit gives in a folder of that name. */
function buildIn(folder: string, from: "clone" | "tarball" = "clone"): Map<string, string> {
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", ROOT, folder], { stdio: "inherit" })
  if (from === "tarball") rmSync(join(folder, ".git"), { recursive: true })
  for (const path of foldersOfModules()) copy(join(ROOT, path), join(folder, path))
  execFileSync("npm", ["run", "--silent", "build:web"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  const files = readdirSync(join(folder, DIST), { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  )
  const paths = files.map((file) => relative(join(folder, DIST), join(file.parentPath, file.name))).toSorted()
  return new Map(
    paths.map((path) => [
      path,
      createHash("sha256")
        .update(readFileSync(join(folder, DIST, path)))
        .digest("hex"),
    ]),
  )
}

/** With hard links if that is possible: a symbolic link would lead the bundler back to one folder. */
function copy(from: string, to: string): void {
  const { status } = spawnSync("cp", ["-al", from, to], { stdio: "ignore" })
  if (status === 0) return
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

function foldersOfModules(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: object }
  const folders = Object.keys(packages).filter((path) => !path.includes("node_modules/"))
  return folders.map((path) => join(path, "node_modules")).filter((path) => existsSync(join(ROOT, path)))
}

const directory = mkdtempSync(join(tmpdir(), "keymoot-reproduce-"))
try {
  const one = buildIn(join(directory, "one"))
  const other = buildIn(join(directory, "a-folder-with-a-longer-name"), "tarball")
  const paths = [...new Set([...one.keys(), ...other.keys()])]
  const differing = paths.filter((path) => one.get(path) !== other.get(path))
  for (const path of differing) console.log(`differs: ${path}`)
  console.log(`${paths.length} files, ${differing.length} of them differ`)
  if (differing.length > 0) process.exitCode = 1
} finally {
  rmSync(directory, { recursive: true })
}
