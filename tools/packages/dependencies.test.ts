import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { manifestOf } from "./pack.ts"

const ROOT = join(import.meta.dirname, "../..")
const TRUSTED = ["gke", "transport", "core"]
const [trusted = ""] = readFileSync(join(ROOT, "docs/dependencies.md"), "utf8").split("## Scripts at installation")

type Locked = {
  readonly hasInstallScript?: true
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>
}

const namesIn = (cell: string): string[] => (cell === "" ? [] : cell.replaceAll("`", "").split(", ").toSorted())

/** The packages in the first two cells of each row. */
function rowsIn(text: string): { readonly names: readonly string[]; readonly brought: readonly string[] }[] {
  return [...text.matchAll(/^\| (`[^|]*) \|(?: ([^|]*) \|)?/gmu)].map(([, names = "", brought = ""]) => {
    return { names: namesIn(names), brought: namesIn(brought) }
  })
}

/** Resolves a package as Node does from there. Null: not installed. */
function found(name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(?!.*node_modules\/).*$/u, "")) {
    const path = join(folder, "node_modules", name)
    if (path in packages) return path
    if (folder === "") return null
  }
}

/** Adds the paths of everything that the package at this path brings. Peers do not come with it. */
function addBrought(path: string, brings: Set<string>): Set<string> {
  const { dependencies, optionalDependencies } = packages[path]!
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const next = found(name, path)
    if (next === null || brings.has(next)) continue
    brings.add(next)
    addBrought(next, brings)
  }
  return brings
}

/** One name stands for the binaries of all platforms. */
const nameOf = (path: string): string =>
  path.replace(/^.*node_modules\//u, "").replace(/^@node-datachannel\/.*$/u, "@node-datachannel/*")

const rows = rowsIn(trusted)

test("docs/dependencies.md lists what the trusted core depends on", () => {
  const names = TRUSTED.flatMap((name) => {
    const { dependencies, peerDependencies } = manifestOf(join(ROOT, "packages", name))
    return Object.keys({ ...dependencies, ...peerDependencies })
  })
  const foreign = new Set(names.filter((name) => !name.startsWith("@keymoot/")))
  expect(rows.flatMap(({ names }) => names).toSorted()).toEqual([...foreign].toSorted())
})

test.each(rows)("docs/dependencies.md lists what the lock file brings in with $names.0", ({ names, brought }) => {
  const listed = new Set(rows.flatMap((row) => row.names))
  const brings = names.flatMap((name) => [...addBrought(found(name, "")!, new Set())].map(nameOf))
  expect(brought).toEqual([...new Set(brings)].filter((name) => !listed.has(name)).toSorted())
})

test("the lock file has no package with a script at its installation", () => {
  expect(Object.keys(packages).filter((path) => packages[path]!.hasInstallScript)).toEqual([])
})

test("npm runs no script when it installs a package here", () => {
  const project = mkdtempSync(join(tmpdir(), "keymoot-scripts-"))
  try {
    const [hostile, marker] = [join(project, "hostile"), join(project, "has-run")]
    mkdirSync(hostile)
    const scripts = { preinstall: `echo > "${marker}"`, postinstall: `echo > "${marker}"` }
    writeFileSync(join(hostile, "package.json"), JSON.stringify({ name: "hostile", version: "1.0.0", scripts }))
    writeFileSync(join(project, "package.json"), "{}")
    copyFileSync(join(ROOT, ".npmrc"), join(project, ".npmrc"))
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/iu.test(name)))
    execFileSync("npm", ["install", "--offline", "--install-links", "./hostile"], { cwd: project, env })
    expect(readdirSync(join(project, "node_modules"))).toContain("hostile")
    expect(existsSync(marker)).toBe(false)
  } finally {
    rmSync(project, { recursive: true })
  }
})
