/** npm run bench -- docs: writes the page and its pictures from what is kept. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { format, resolveConfig } from "prettier"
import type { Experiment } from "../experiment.ts"
import { UsageError } from "../options.ts"
import { readResult } from "../result.ts"
import { headline, missingForHeadline } from "./headline.ts"
import { benchmarksPage } from "./page.ts"

const ROOT = join(import.meta.dirname, "../../..")
const RESULTS = join(ROOT, "bench/results")
const PAGE = join(ROOT, "docs/benchmarks.md")
const PICTURES = join(ROOT, "docs/images/benchmarks")

/** @throws UsageError where there are no results */
export async function writeDocs(experiments: readonly Experiment[]): Promise<void> {
  const files = existsSync(RESULTS) ? readdirSync(RESULTS).filter((file) => file.endsWith(".json")) : []
  if (files.length === 0) throw new UsageError("There are no results yet: npm run bench -- all --out bench/results")
  const results = files.map((file) => readResult(join(RESULTS, file)))
  const figures = results.flatMap((result) => result.figures)
  const table = headline(figures)
  const { markdown, pictures } = benchmarksPage(experiments, results, table)
  const formatted = await format(markdown, { ...(await resolveConfig(PAGE)), parser: "markdown" })
  rmSync(PICTURES, { recursive: true, force: true })
  mkdirSync(PICTURES, { recursive: true })
  for (const [file, svg] of pictures) writeFileSync(join(PICTURES, file), svg)
  writeFileSync(PAGE, formatted)
  console.log(`docs/benchmarks.md and ${pictures.size} pictures, from ${files.join(", ")}.`)
  const absent = experiments.filter(({ name }) => !results.some(({ experiment }) => experiment === name))
  if (absent.length > 0) console.log(`Without results, and so not in it: ${absent.map(({ name }) => name).join(", ")}.`)
  if (table === null)
    console.log(`No table of five rows: figures are missing for ${missingForHeadline(figures).join("; ")}.`)
  else console.log(`\nFor the README:\n\n${table}`)
}
