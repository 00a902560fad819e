/** Every text that is made from results, so that a test can hold those that are kept against them. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { format, resolveConfig } from "prettier"
import { computeSection } from "./compute-section.ts"
import type { Experiment } from "../experiment/experiment.ts"
import { readResult, type Result } from "../run/result.ts"
import { NATS_NAME } from "../nat/table.ts"
import { headline } from "./headline.ts"
import { indexPage } from "./index-page.ts"
import { experimentPage, type Picture, type Pictures } from "./page.ts"

const ROOT = join(import.meta.dirname, "../../..")
export const DOCS = join(ROOT, "docs")
export const INDEX_NAME = "benchmarks.md"
export const PAGES_NAME = "benchmarks"
export const PICTURES_NAME = "images/benchmarks"

/** A document in which a part between two marks is made from results. */
export type Marked = { readonly path: string; readonly begin: string; readonly end: string; readonly text: string }

export type Documents = {
  readonly index: string
  /** By file name, one for each experiment. */
  readonly pages: ReadonlyMap<string, string>
  readonly pictures: Pictures
  readonly marked: readonly Marked[]
}

const markedBy = (name: string, path: string, text: string): Marked => ({
  path: join(ROOT, path),
  begin: `<!-- ${name}: begin -->`,
  end: `<!-- ${name}: end -->`,
  text,
})

/** @throws UsageError if one of the files holds no results */
export function readResults(directory: string): readonly Result[] {
  const files = existsSync(directory) ? readdirSync(directory).filter((file) => file.endsWith(".json")) : []
  return files.toSorted().map((file) => readResult(join(directory, file)))
}

/** The page that `npm run nat` has written, or null. */
export function readNats(directory: string): string | null {
  const path = join(directory, NATS_NAME)
  return existsSync(path) ? readFileSync(path, "utf8") : null
}

export async function documentsOf(
  experiments: readonly Experiment[],
  results: readonly Result[],
  nats: string | null = null,
): Promise<Documents> {
  const table = headline(results.flatMap(({ figures }) => figures))
  const options = { ...(await resolveConfig(join(DOCS, INDEX_NAME))), parser: "markdown" }
  const index = await format(indexPage(experiments, results, table, nats !== null), options)
  const pages = new Map<string, string>()
  const pictures = new Map<string, Picture>()
  for (const experiment of experiments) {
    const result = results.find((one) => one.experiment === experiment.name)
    if (!result) continue
    const page = experimentPage(experiment, result)
    pages.set(`${experiment.name}.md`, await format(page.markdown, options))
    for (const [file, picture] of page.pictures) pictures.set(file, picture)
  }
  if (nats !== null) pages.set(NATS_NAME, await format(nats, options))
  const compute = results.find(({ experiment }) => experiment === "compute")
  return {
    index,
    pages,
    pictures,
    marked: [
      markedBy("bench", "README.md", readmeSection(table, results)),
      ...(compute ? [markedBy("compute", "docs/key-agreement.md", computeSection(compute))] : []),
    ],
  }
}

function readmeSection(table: string | null, results: readonly Result[]): string {
  if (table === null) return ""
  const machines = [...new Set(results.map(({ machine }) => machine))].join("; ")
  return `## What it costs\n\n${table}\n\nMeasured on ${machines}. [docs/benchmarks.md](docs/benchmarks.md) explains each figure, and leads to the papers' values and all other figures. Measure it yourself: \`npm run bench -- list\`, or \`/bench\` of the running app.`
}

/** Returns the text between the marks. @throws Error if they are not there */
export function between(document: string, { path, begin, end }: Marked): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${path} has no ${begin} before its ${end}`)
  return document.slice(from + begin.length, to).trim()
}

export function withSection(document: string, marked: Marked): string {
  const { begin, end, text } = marked
  between(document, marked)
  const [before, after] = [document.slice(0, document.indexOf(begin)), document.slice(document.indexOf(end))]
  return `${before}${begin}\n\n${text === "" ? "" : `${text}\n\n`}${after}`
}
