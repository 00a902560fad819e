import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type PackedPackages, type Project, PUBLISHED } from "@keymoot/tools"
import { environmentOf } from "./projects.ts"

const BIN = fileURLToPath(new URL("../../../node_modules/.bin", import.meta.url))

/** A project outside the repository with these folders' files, and with what npm installs for it. The caller removes it. */
export function installProject(packed: PackedPackages, folders: readonly string[]): Project {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-bundler-"))
  for (const folder of folders) cpSync(folder, directory, { recursive: true })
  const project = { directory, path: [join(directory, "node_modules/.bin"), BIN].join(delimiter) }
  const tarballs = PUBLISHED.map((name) => packed.tarball(name))
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...tarballs], {
    cwd: directory,
    env: environmentOf(project),
    stdio: "pipe",
  })
  const installed = readdirSync(join(directory, "node_modules/@keymoot")).toSorted()
  if (installed.join() !== PUBLISHED.toSorted().join()) throw new Error(`npm installed ${installed.join()}`)
  return project
}
