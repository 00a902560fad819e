/**
 * Checks the layout of files in folders. It refuses three things:
 * - folders of a package that import each other,
 * - two files of a package with one base name,
 * - a folder with more than `FOLDER_FILES_MAX` files, anywhere but in documents and data.
 *
 * Type-only imports count, because a reader follows them too. oxlint detects cycles between files only, and
 * dependency-cruiser sees no module under TypeScript 7.
 */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join, posix } from "node:path"
import { parseSync, Visitor } from "oxc-parser"

export const FOLDER_FILES_MAX = 20

export type Source = { readonly path: string; readonly text: string }
export type Import = { readonly from: string; readonly to: string }

const PACKAGES = ["packages/gke/src", "packages/transport/src", "packages/core/src", "packages/react/src"]
/** Files of one kind, which a reader looks up by name: documents, inputs of tests, expected outputs and measurements. */
const LOOKED_UP = /^docs\/|\/(?:corpus|golden|results|vectors)\//u
const ROOT = join(import.meta.dirname, "..")

/** Relative imports and exports of a file, those of types included, and the workers that it starts by URL. */
export function importsOf({ path, text }: Source): Import[] {
  const found: string[] = []
  const take = (node: { readonly source: unknown }): void => {
    const { value } = (node.source ?? {}) as { readonly value?: unknown }
    if (typeof value === "string" && value.startsWith(".")) found.push(value)
  }
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  new Visitor({
    ImportDeclaration: take,
    ExportAllDeclaration: take,
    ExportNamedDeclaration: take,
    ImportExpression: take,
    TSImportType: take,
    NewExpression({ callee, arguments: [address] }) {
      if (callee.type === "Identifier" && callee.name === "URL") take({ source: address })
    },
  }).visit(program)
  return found
    .filter((to) => /\.tsx?$/u.test(to))
    .map((to) => ({ from: path, to: posix.join(posix.dirname(path), to) }))
}

/** @returns lines for a person; none if no folder reaches itself over imports. One wrong import is reported once. */
export function cycleComplaints(sources: readonly Source[]): string[] {
  const paths = new Set(sources.map(({ path }) => path))
  const imports = sources.flatMap(importsOf)
  const complaints = imports
    .filter(({ to }) => !paths.has(to))
    .map(({ from, to }) => `${from} imports ${to}, which is not there`)
  let across = imports.filter(({ from, to }) => paths.has(to) && dirname(from) !== dirname(to))
  for (let cycle = shortestCycle(across); cycle; cycle = shortestCycle(across)) {
    complaints.push("These folders import each other:", ...cycle.map(({ from, to }) => `  ${from} imports ${to}`))
    const reported = new Set(cycle.map(arrowOf))
    across = across.filter((each) => !reported.has(arrowOf(each)))
  }
  return complaints
}

function arrowOf({ from, to }: Import): string {
  return `${dirname(from)} > ${dirname(to)}`
}

function shortestCycle(imports: readonly Import[]): readonly Import[] | undefined {
  const folders = [...new Set(imports.map(({ from }) => dirname(from)))].toSorted()
  const cycles = folders.map((folder) => cycleThrough(folder, imports)).filter(({ length }) => length > 0)
  return cycles.toSorted((one, other) => one.length - other.length)[0]
}

/** The shortest chain of imports from a folder back to itself. Empty if there is none. */
function cycleThrough(folder: string, imports: readonly Import[]): readonly Import[] {
  const chains = new Map<string, readonly Import[]>([[folder, []]])
  for (const [at, chain] of chains) {
    for (const step of imports.filter(({ from }) => dirname(from) === at)) {
      const next = dirname(step.to)
      if (next === folder) return [...chain, step]
      if (!chains.has(next)) chains.set(next, [...chain, step])
    }
  }
  return []
}

/** @returns one line for each base name that several files have. An `index.ts` is named after its folder. */
export function nameComplaints(paths: readonly string[]): string[] {
  return [...groupedBy(paths, (path) => basename(path).replace(/\.tsx?$/u, ""))]
    .filter(([name, files]) => name !== "index" && files.length > 1)
    .map(([, files]) => `Files have one base name: ${files.join(", ")}`)
}

/** @returns one line for each folder that has more files than it may. Files of its subfolders do not count. */
export function sizeComplaints(paths: readonly string[]): string[] {
  return [...groupedBy(paths, dirname)]
    .filter(([, files]) => files.length > FOLDER_FILES_MAX)
    .map(([folder, { length }]) => `${folder} has ${length} files; at most ${FOLDER_FILES_MAX}`)
}

/** Paths of all files whose folders have a limit, new ones included. Ignored files do not count. */
export function limitedFiles(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
  const listed = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean)
  return listed.filter((path) => !LOOKED_UP.test(path) && existsSync(join(ROOT, path)))
}

function groupedBy(paths: readonly string[], keyOf: (path: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) groups.set(keyOf(path), [...(groups.get(keyOf(path)) ?? []), path])
  return groups
}

/** Source files of a folder of the repository. @throws if there are none: a check that reads nothing finds nothing. */
export function sourcesIn(folder: string): Source[] {
  const paths = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }).map((path) => path.replaceAll("\\", "/"))
  if (paths.length === 0) throw new Error(`${folder} has no source files`)
  return paths.toSorted().map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }))
}

if (import.meta.main) {
  const ofPackages = PACKAGES.map(sourcesIn).flatMap((sources) => [
    ...cycleComplaints(sources),
    ...nameComplaints(sources.map(({ path }) => path)),
  ])
  for (const complaint of [...ofPackages, ...sizeComplaints(limitedFiles())]) {
    console.error(complaint)
    process.exitCode = 1
  }
}
