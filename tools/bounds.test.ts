/** The table of bounds in docs/group-communication.md says what the code says. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const ROOT = join(import.meta.dirname, "..")
const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, s: 1000 }

/** Where a package is about something of its own it may have a name that another one has: this is the order in which they count. */
const packages = ["transport", "core"].map((name) => {
  const files = globSync(`packages/${name}/src/**/*.ts`, { cwd: ROOT }).map((file) => join(ROOT, file))
  return files.map((path) => ({ path, text: readFileSync(path, "utf8") }))
})

/** What one file, and no other of its package, exports under that name. */
async function exported(name: string): Promise<unknown> {
  const declaration = new RegExp(`^export (const|function) ${name}\\b`, "mu")
  const declaring = packages.map((sources) => sources.filter(({ text }) => declaration.test(text)))
  const [only, ...more] = declaring.find((found) => found.length > 0) ?? []
  if (!only || more.length > 0) throw new Error(`${only ? "several files export" : "no file exports"} ${name}`)
  return ((await import(only.path)) as Record<string, unknown>)[name]
}

/** Bytes, milliseconds, or a number of something. */
function figuresIn(bound: string): number[] {
  return [...bound.matchAll(/(\d[\d,]*)(?: (KiB|MiB|s)\b)?/gu)].map(([, digits, unit]) => {
    return Number(digits!.replaceAll(",", "")) * (unit === undefined ? 1 : UNITS[unit]!)
  })
}

const [, table = ""] = /^\| what \| bound .*?\n.*?\n(.*?)\n\n/msu.exec(
  readFileSync(join(ROOT, "docs/group-communication.md"), "utf8"),
)!
const rows = table.split("\n").map((line) => {
  const [what = "", bound = "", , named = ""] = line
    .split("|")
    .slice(1)
    .map((cell) => cell.trim())
  return { what, bound, names: [...named.matchAll(/`(\w+)`/gu)].map(([, name]) => name!) }
})

test("there is a row for each bound", () => {
  expect(rows.length).toBeGreaterThan(20)
})

test.each(rows)("$what: $bound", async ({ bound, names }) => {
  const values = await Promise.all(names.map(exported))
  expect(values).not.toEqual([])
  const [ofMembers] = values
  if (typeof ofMembers !== "function") return expect(values).toEqual(figuresIn(bound))
  // The first figure is that of few members.
  const [few, ...others] = bound.matchAll(/(\d+)(?: with (\d+))?/gu)
  for (const [, figure, members = "2"] of [few!, ...others]) expect(ofMembers(Number(members))).toBe(Number(figure))
})
