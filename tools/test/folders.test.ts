/** A rule about folders that cannot fail is none: each of these is a layout that `npm run lint` must refuse. */
import { readdirSync } from "node:fs"
import { dirname, posix } from "node:path"
import { expect, test } from "vitest"
import {
  cycleComplaints,
  FOLDER_FILES_MAX,
  importsOf,
  limitedFiles,
  nameComplaints,
  sizeComplaints,
  sourcesIn,
} from "../folders.ts"

const files = (sources: Readonly<Record<string, string>>) =>
  Object.entries(sources).map(([path, text]) => ({ path: `p/src/${path}`, text }))

test.each([
  ["a value", `import { b } from "../b/b.ts"`],
  ["a type", `import type { B } from "../b/b.ts"`],
  ["a type in place", `export type A = import("../b/b.ts").B`],
  ["a re-export", `export * from "../b/b.ts"`],
  ["a named re-export", `export { b } from "../b/b.ts"`],
  ["a dynamic import", `export const b = () => import("../b/b.ts")`],
  ["a worker", `export const b = new Worker(new URL("../b/b.ts", import.meta.url))`],
])("refuses two folders that import each other when one imports %s", (_, text) => {
  const back = `import { c } from "../a/c.ts"`
  const complaints = cycleComplaints(files({ "a/a.ts": text, "a/c.ts": "export const c = 1", "b/b.ts": back }))
  expect(complaints).toEqual([
    "These folders import each other:",
    "  p/src/a/a.ts imports p/src/b/b.ts",
    "  p/src/b/b.ts imports p/src/a/c.ts",
  ])
})

test("refuses a circle of three folders, and names each import in it", () => {
  const sources = files({
    "a/a.ts": `import "../b/b.ts"`,
    "b/b.ts": `import "../c/c.ts"`,
    "c/c.ts": `import "../a/other.ts"`,
    "a/other.ts": "",
    "d/d.ts": `import "../a/a.ts"`,
  })
  expect(cycleComplaints(sources)).toHaveLength(4)
})

test("reports one wrong import once, however many folders it closes a circle over", () => {
  const sources = files({
    "a/a.ts": `import "../low/low.ts"`,
    "b/b.ts": `import "../low/low.ts"\nimport "../a/a.ts"`,
    "c/c.ts": `import "../b/b.ts"`,
    "low/low.ts": `import "../c/c.ts"`,
  })
  expect(cycleComplaints(sources)).toHaveLength(4)
})

test("refuses a folder inside another one when both import each other", () => {
  const sources = files({ "a/a.ts": `import "./inner/b.ts"`, "a/c.ts": "", "a/inner/b.ts": `import "../c.ts"` })
  expect(cycleComplaints(sources)).toHaveLength(3)
})

test("allows folders that import in one direction", () => {
  const sources = files({ "index.ts": `export * from "./a/a.ts"`, "a/a.ts": `import "../b/b.ts"`, "b/b.ts": "" })
  expect(cycleComplaints(sources)).toEqual([])
})

test("refuses an import that leads nowhere, since it would hide a circle", () => {
  expect(cycleComplaints(files({ "a/a.ts": `import "../b/gone.ts"` }))).toEqual([
    "p/src/a/a.ts imports p/src/b/gone.ts, which is not there",
  ])
})

test("refuses two files of one base name, except for index.ts", () => {
  expect(nameComplaints(["p/src/a/x.ts", "p/src/b/x.ts"])).toHaveLength(1)
  expect(nameComplaints(["p/src/a/x.ts", "p/src/b/x.tsx"])).toHaveLength(1)
  expect(nameComplaints(["p/src/a/index.ts", "p/src/index.ts", "p/src/a/y.ts"])).toEqual([])
})

test("refuses a folder with one file too many", () => {
  const folder = Array.from({ length: FOLDER_FILES_MAX }, (_, index) => `p/src/a/${index}.ts`)
  expect(sizeComplaints([...folder, "p/src/more.ts", "p/src/a/b/more.ts"])).toEqual([])
  expect(sizeComplaints([...folder, "p/src/a/more.ts"])).toEqual(["p/src/a has 21 files; at most 20"])
})

test.each([
  "apps/signaling/test",
  "apps/web/src/board",
  "bench/src/run",
  "bench/test",
  "e2e/support",
  "e2e/tests/calls",
  "examples/own-modules",
  "packages/core/test/media",
  "tools",
])("refuses more files in %s than a folder may have", (folder) => {
  const added = Array.from({ length: FOLDER_FILES_MAX }, (_, index) => `${folder}/added-${index}.ts`)
  expect(sizeComplaints(limitedFiles())).toEqual([])
  expect(sizeComplaints([...limitedFiles(), ...added])).toEqual([expect.stringContaining(`${folder} has`)])
})

test.each(["docs/decisions", "bench/results", "packages/core/test/fuzzing/corpus", "packages/gke/test/golden/tgdh"])(
  "allows any number of files in %s, where they are looked up by name",
  (folder) => {
    expect(readdirSync(folder)).not.toEqual([])
    expect(limitedFiles().filter((path) => dirname(path) === folder)).toEqual([])
  },
)

test.each(["packages/gke/src", "packages/transport/src", "packages/core/src"])(
  "sees a circle planted in %s",
  (folder) => {
    const sources = sourcesIn(folder)
    const { from, to } = sources.flatMap(importsOf).find((each) => dirname(each.from) !== dirname(each.to))!
    const back = `\nexport * from "${posix.relative(dirname(to), from).replace(/^(?!\.)/u, "../")}"`
    const planted = sources.map(({ path, text }) => ({ path, text: path === to ? text + back : text }))
    expect(cycleComplaints(sources)).toEqual([])
    expect(cycleComplaints(planted)).toContain(`  ${to} imports ${from}`)
  },
)

test("does not read a folder that is not there", () => {
  expect(() => sourcesIn("packages/gone/src")).toThrow("no source files")
})
