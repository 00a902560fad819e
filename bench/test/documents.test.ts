import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { missingCommits } from "@keymoot/tools"
import { JSDOM } from "jsdom"
import { expect, test } from "vitest"
import {
  between,
  DOCS,
  documentsOf,
  INDEX_NAME,
  PAGES_NAME,
  PICTURES_NAME,
  readNats,
  readResults,
  withSection,
} from "../src/docs/documents.ts"
import { MEASURED_WITH_CHANGES, LOST_COMMITS } from "../src/docs/origins.ts"
import { pictureOf } from "../src/docs/picture.ts"
import type { Experiment, Plot } from "../src/experiment/experiment.ts"
import { loadExperiments } from "../src/experiments.ts"
import { figureOf } from "../src/experiment/figure.ts"
import { draw } from "../src/plots/draw.ts"
import { needCommit, type Result, RESULTS } from "../src/run/result.ts"
import { medianOf } from "../src/experiment/story.ts"

const experiments = await loadExperiments()
const kept = readResults(RESULTS)
if (kept.length === 0)
  console.log("No results are kept yet (npm run bench -- all --out bench/results): so there is to be no page either.")

test("docs/benchmarks.md, its pages, pictures and tables match the stored results", async () => {
  const { index, pages, pictures, marked } = await documentsOf(experiments, kept, readNats(RESULTS))
  const [indexPath, pagesPath, picturesPath] = [INDEX_NAME, PAGES_NAME, PICTURES_NAME].map((name) => join(DOCS, name))
  if (kept.length === 0) {
    expect(existsSync(indexPath!)).toBe(false)
  } else {
    expect(kept.filter(({ quick }) => quick).map(({ experiment }) => experiment)).toEqual([])
    expect(readFileSync(indexPath!, "utf8"), "npm run bench -- docs makes it anew").toBe(index)
    expect(readdirSync(pagesPath!).toSorted()).toEqual([...pages.keys()].toSorted())
    for (const [file, page] of pages) expect(readFileSync(join(pagesPath!, file), "utf8"), file).toBe(page)
    expect(readdirSync(picturesPath!).toSorted()).toEqual([...pictures.keys()].toSorted())
  }
  for (const section of marked) {
    expect(between(readFileSync(section.path, "utf8"), section), section.path).toBe(section.text.trim())
  }
})

/** Commits that kept results name, by experiment. */
const origins: readonly (readonly [experiment: string, commit: string])[] = [
  ...kept.flatMap((result) =>
    [result, ...(result.parts ?? [])].map(({ commit }) => [result.experiment, commit] as const),
  ),
  ["nat", /commit ([0-9a-f]+\+?)/u.exec(readNats(RESULTS) ?? "")?.[1] ?? ""],
]

test("kept results were measured on a commit without changes, but for the named ones", () => {
  const changed = origins.filter(([, commit]) => !/^[0-9a-f]{12}$/u.test(commit)).map(([experiment]) => experiment)
  expect(changed.toSorted()).toEqual(MEASURED_WITH_CHANGES.toSorted())
})

const missing = missingCommits(origins.map(([, commit]) => commit.replace("+", "")))
if (missing === null) console.log("Skipped: the commits of kept results. The history of the repository is not here.")

test.skipIf(missing === null)("the repository has the commits of kept results, but for the named ones", () => {
  expect([...new Set(missing)].toSorted()).toEqual(LOST_COMMITS.toSorted())
})

test("results are not kept when the tree has changes that are in no commit", () => {
  for (const commit of ["0123456789ab+", "unknown"]) {
    expect(() => needCommit("bench/results", commit)).toThrow("name a commit")
    expect(() => needCommit("elsewhere", commit)).not.toThrow()
  }
  expect(() => needCommit("bench/results", "0123456789ab")).not.toThrow()
})

test("every experiment states the papers' results, its own and why, with pictures", () => {
  expect(experiments.filter(({ shows }) => !shows).map(({ name }) => name)).toEqual([])
  for (const { name, shows } of experiments) {
    for (const sentence of [shows!.paper, shows!.why]) expect(sentence, name).toMatch(/\.$/u)
    // Findings take their numbers from figures. Without figures the text contains no number that could grow stale.
    expect(shows!.found([]), name).not.toMatch(/\d (?:ms|times|%|MB)/u)
  }
})

const lines: Experiment = {
  name: "lines",
  about: "Of sizes.",
  takes: {},
  run: () => [],
  shows: {
    plots: [
      {
        title: "Lines",
        of: () => true,
        x: { label: "members", at: ({ n }) => n! },
        series: () => "tgdh",
        scale: "log",
      },
    ],
    paper: "It grows.",
    found: (figures) => `It takes ${medianOf(figures, { n: 4 })}.\n\nThe rest is less.`,
    why: "It does more.",
  },
}
const bars: Experiment = { name: "bars", about: "Of kinds.", takes: {}, run: () => [] }
const resultOf = (experiment: string, figures: Result["figures"]): Result => ({
  experiment,
  at: "2026-01-02T03:04:05.000Z",
  commit: "abc",
  machine: "one",
  quick: false,
  figures,
})

test("numbers come from the figures, and the pages show a line chart and a bar chart", async () => {
  const of = (experiment: string, n: number, ...values: number[]) =>
    figureOf({ experiment, module: "tgdh", metric: "time", unit: "ms", n, paper: 9 }, values)
  const results = [
    resultOf("lines", [of("lines", 2, 1, 2, 3), of("lines", 4, 5)]),
    resultOf("bars", [of("bars", 2, 7)]),
  ]
  const { index, pages, pictures } = await documentsOf([lines, bars], results)
  expect(pages.get("lines.md")).toContain("## Here\n\nIt takes 5 ms.\n\nThe rest is less.\n")
  expect(index).toContain("### [lines](benchmarks/lines.md)\n\nOf sizes.\n\nIt takes 5 ms.\n")
  expect(index).not.toContain("The rest is less.")
  expect([...pictures.keys()]).toEqual(["lines-1.svg", "bars-1.svg"])
  for (const [file, { plot, figures }] of pictures) {
    expect(pages.get(file.replace("-1.svg", ".md"))).toContain(`../images/benchmarks/${file}`)
    const svg = pictureOf(plot, figures)
    expect(svg).toMatch(/^<svg /u)
    expect(svg, "the same each time").toBe(pictureOf(plot, figures))
    expect(svg).toContain("tgdh")
  }
})

test("on a phone, bars whose names begin alike are still one under the other", () => {
  const plot: Plot = { title: "Bars", of: () => true, bar: ({ event }) => event!, scale: "linear" }
  const events = ["first", "second"].map((end) => `a name that is much longer than a phone is wide, the ${end}`)
  const figures = events.map((event) => figureOf({ experiment: "bars", event, metric: "time", unit: "ms" }, [7]))
  const { document } = new JSDOM("").window
  const svg = draw(plot, figures, { document, width: 300, colour: "black", background: "white" })!
  const rows = [...svg.querySelectorAll("rect")].map((bar) => bar.getAttribute("y"))
  expect(new Set(rows).size).toBe(2)
  expect(svg.textContent).toContain("…")
})

test("labels of lines that end together at the bottom are stacked above the axis name", () => {
  const plot: Plot = {
    title: "Lines",
    of: () => true,
    x: { label: "members", at: ({ n }) => n! },
    series: ({ event }) => event!,
    scale: "linear",
  }
  const events = ["first", "second", "third", "fourth"]
  const figures = events.flatMap((event) =>
    [2, 4].map((n) => figureOf({ experiment: "lines", event, n, metric: "rounds", unit: "count" }, [n === 2 ? 9 : 0])),
  )
  const { document } = new JSDOM("").window
  const svg = draw(plot, figures, { document, width: 300, colour: "black", background: "white" })!
  const heightOf = (text: string): number => {
    const mark = [...svg.querySelectorAll("text")].find(({ textContent }) => textContent === text)!
    const moves = [...svg.querySelectorAll("g")].filter((group) => group.contains(mark))
    const ys = [...moves, mark].map((part) =>
      Number(/,(-?[\d.]+)\)/u.exec(part.getAttribute("transform") ?? "")?.[1] ?? 0),
    )
    return ys.reduce((sum, y) => sum + y, 0)
  }
  const ends = events.map(heightOf)
  for (const [i, end] of ends.entries()) if (i > 0) expect(end - ends[i - 1]!).toBeGreaterThan(10)
  expect(ends.at(-1)).toBeLessThan(heightOf("members →") - 10)
})

test("a part of a document is replaced between its marks, and nothing else", () => {
  const marked = { path: "a.md", begin: "<!-- a -->", end: "<!-- z -->", text: "new" }
  const document = "before\n<!-- a -->\n\nold\n\n<!-- z -->\nafter\n"
  expect(withSection(document, marked)).toBe("before\n<!-- a -->\n\nnew\n\n<!-- z -->\nafter\n")
  expect(between(withSection(document, { ...marked, text: "" }), marked)).toBe("")
  expect(() => withSection("nothing", marked)).toThrow("a.md has no <!-- a -->")
})
