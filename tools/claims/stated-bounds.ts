/** Reads tables of bounds in documents, and the constants that they name. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const ROOT = join(import.meta.dirname, "../..")
const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, s: 1000 }

/** Packages in order of precedence, because a name of one package can occur in another with its own meaning. */
const packages = ["packages/transport", "packages/core", "apps/web", "apps/signaling"].map((folder) => {
  const files = globSync(`${folder}/src/**/*.ts`, { cwd: ROOT }).map((file) => join(ROOT, file))
  return files.map((path) => ({ path, text: readFileSync(path, "utf8") }))
})

/** The value that exactly one file of a package exports under that name. */
export async function exported(name: string): Promise<unknown> {
  const declaration = new RegExp(`^export (const|function) ${name}\\b`, "mu")
  const declaring = packages.map((sources) => sources.filter(({ text }) => declaration.test(text)))
  const [only, ...more] = declaring.find((found) => found.length > 0) ?? []
  if (!only || more.length > 0) throw new Error(`${only ? "several files export" : "no file exports"} ${name}`)
  return ((await import(only.path)) as Record<string, unknown>)[name]
}

/** Bytes, milliseconds, or a number of something. */
export function figuresIn(bound: string): number[] {
  return [...bound.matchAll(/(\d[\d,]*)(?: (KiB|MiB|s)\b)?/gu)].map(([, digits, unit]) => {
    return Number(digits!.replaceAll(",", "")) * (unit === undefined ? 1 : UNITS[unit]!)
  })
}

/** The cells of the rows of the table whose first column has that title. */
export function rowsOf(document: string, title: string): string[][] {
  const [, table = ""] = new RegExp(`^\\| ${title} \\|.*?\\n.*?\\n(.*?)\\n\\n`, "msu").exec(
    readFileSync(join(ROOT, document), "utf8"),
  )!
  return table.split("\n").map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** The code spans of a cell. */
export function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/gu)].map(([, code]) => code!)
}
