/**
 * `npm run model [-- MODEL…] [--out]`: runs the models of this folder and their mutants. Exits with 1 if a lemma does not
 * hold, or if a mutant breaks less than it should. A missing prover is reported with its reason; then it exits with 77 unless
 * a lemma of another model fails. `--out` records the results.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fromCommandLine, NOT_RUN } from "../command-line.ts"
import { alloy } from "./alloy/alloy.ts"
import { allModels, mutated, type Model } from "./model.ts"
import { proverif } from "./proverif/proverif.ts"
import type { Prover } from "./prover.ts"
import { verifpal } from "./verifpal/verifpal.ts"
import { hashOf, renewedPage, type Results, type Row } from "./results.ts"

const ROOT = join(import.meta.dirname, "../..")
const PAGE = join(ROOT, "docs/models-results.md")

const models = allModels()
const { chosen, values } = fromCommandLine("npm run model -- [MODEL…] [--out]", () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: "boolean" } } })
  const isWanted = ({ file }: Model): boolean => positionals.some((name) => file.startsWith(name))
  const chosen = positionals.length === 0 ? models : models.filter(isWanted)
  if (chosen.length > 0) return { chosen, values }
  throw new Error(
    `There is no model ${positionals.join(", ")}. There are: ${models.map(({ file }) => file).join(", ")}.`,
  )
})

/** Runs the model, or a mutant of it, prints the result, and returns a row for each lemma that this run is about. */
function ran(prover: Prover, model: Model, mutant: string | null): Row[] {
  // A mutant may break more than the lemmas that it is there for.
  const asked = mutant === null ? model.lemmas.map(({ name }) => name) : model.mutants.get(mutant)!
  const startMs = performance.now()
  let verdictOf: (lemma: string) => Row["verdict"]
  let reason: string | null = null
  try {
    const verdicts = prover.run(model, mutant === null ? model.text : mutated(model, mutant), asked)
    verdictOf = (lemma) => verdicts.get(lemma) ?? "error"
  } catch (error) {
    verdictOf = () => "error"
    reason = (error instanceof Error ? error.message : String(error)).split("\n").slice(0, 3).join(" ")
  }
  const seconds = (performance.now() - startMs) / 1000
  const rows = asked.map((lemma) => ({ lemma, mutant, verdict: verdictOf(lemma), seconds }))
  const wrong = rows.filter(({ verdict }) => verdict !== (mutant === null ? "holds" : "fails"))
  if (wrong.length > 0) process.exitCode = 1
  const complaints = reason === null ? wrong.map(({ lemma, verdict }) => `${lemma} ${verdict}`) : [reason]
  const expected = mutant === null ? `${asked.length} lemmas hold` : `${mutant} breaks ${asked.join(", ")}`
  const lines = complaints.map((each) => `\n     ${each}`).join("")
  console.log(`${wrong.length === 0 ? "ok  " : "FAIL"} ${model.file}: ${expected} (${seconds.toFixed(1)} s)${lines}`)
  return rows
}

const results: Results[] = []
for (const prover of [alloy, proverif, verifpal]) {
  const own = chosen.filter(({ file }) => file.endsWith(prover.extension))
  const reason = own.length > 0 ? prover.missing() : null
  if (reason) {
    console.log(`NOT RUN ${own.map(({ file }) => file).join(", ")}: ${reason}`)
    process.exitCode ??= NOT_RUN
  }
  for (const model of reason ? [] : own) {
    const rows = [null, ...model.mutants.keys()].flatMap((mutant) => ran(prover, model, mutant))
    const date = new Date().toISOString().slice(0, 10)
    results.push({ file: model.file, origin: `${prover.version()}, ${date}, ${commit()}`, hash: hashOf(model), rows })
  }
}
if (values.out) writeFileSync(PAGE, renewedPage(existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "", results, models))

function commit(): string {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim()
  const isChanged = git("status", "--porcelain", "tools/models") !== ""
  return `commit ${git("rev-parse", "--short", "HEAD")}${isChanged ? " with changes" : ""}`
}
