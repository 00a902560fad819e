/** The page of long runs: what every night has done, the sums, and the end of the last output of each step. */
import { NOT_RUN } from "./command-line.ts"

/** `not run`: at least one program of the step could not run here, and none of the others failed. */
export type NightResult = "passed" | "FAILED" | "not run"

/** One step of one night. `work`: how much was done, in the step's unit. */
export type NightRow = {
  readonly date: string
  readonly commit: string
  readonly step: string
  readonly result: NightResult
  readonly minutes: number
  readonly work: number
}

/** Units of the work of each step. */
export const UNITS: Readonly<Record<string, string>> = {
  simulation: "simulated events under each module",
  endurance: "minutes of a conference",
  mutants: "runs",
  fuzzing: "seconds for each target",
  models: "runs",
  reproduce: "runs",
  unit: "runs",
  browsers: "runs",
}

/** Rows name them, and the repository does not have them. */
export const LOST_COMMITS = ["80718f3a6b79", "dfcebe3a9a97"]

const ROWS_HEADING = "## Every night"
const ROW = /^\| (\d{4}-\d\d-\d\d) \| (\S+) \| (\w+) \| (passed|FAILED|not run) \| ([\d.]+) \| ([\d.]+) \|$/gmu

/** @param codes with which the programs of a step ended; null for a signal */
export function resultOf(codes: readonly (number | null)[]): NightResult {
  const failed = codes.some((code) => code !== 0 && code !== NOT_RUN)
  return failed ? "FAILED" : codes.includes(NOT_RUN) ? "not run" : "passed"
}

/** Rows of an earlier page. Empty for a page without them. */
export function rowsOf(page: string): NightRow[] {
  return [...page.matchAll(ROW)].map(([, date, commit, step, result, minutes, work]) => {
    return {
      date: date!,
      commit: commit!,
      step: step!,
      result: result as NightResult,
      minutes: Number(minutes),
      work: Number(work),
    }
  })
}

/** Steps' sections of an earlier page, by name. */
export function outputsOf(page: string): Map<string, string> {
  const sections = page.split(/^### /mu).slice(1)
  return new Map(sections.map((section) => [section.slice(0, section.indexOf("\n")), section]))
}

/** `outputs`: for each step, the section of `outputOf` that shows its last run. */
export function pageOf(rows: readonly NightRow[], outputs: ReadonlyMap<string, string>): string {
  const steps = Object.keys(UNITS)
  const sums = steps.map((step) => {
    const own = rows.filter((row) => row.step === step && row.result !== "not run")
    if (own.length === 0) return `| ${step} | 0 | 0 | 0 | has not run yet |`
    const good = own.filter(({ result }) => result === "passed")
    const sum = (of: readonly NightRow[], what: "minutes" | "work"): number =>
      of.reduce((total, row) => total + row[what], 0)
    return `| ${step} | ${own.length} | ${own.length - good.length} | ${sum(own, "minutes").toFixed(1)} | ${rounded(sum(good, "work"))} ${UNITS[step]} |`
  })
  const nights = rows.map(({ date, commit, step, result, minutes, work }) => {
    return `| ${date} | ${commit} | ${step} | ${result} | ${minutes.toFixed(1)} | ${rounded(work)} |`
  })
  const lines = [
    "# Long runs",
    "",
    "`npm run night` wrote this page. Each run adds its steps to those of earlier nights.",
    `The repository no longer has the commits ${LOST_COMMITS.join(" and ")}.`,
    "",
    "| step | runs | failed | minutes | work of the runs that passed |",
    "| --- | --- | --- | --- | --- |",
    ...sums,
    "",
    ROWS_HEADING,
    "",
    "| date | commit | step | result | minutes | work |",
    "| --- | --- | --- | --- | --- | --- |",
    ...nights,
    "",
    "## The last run of each step",
    "",
    ...steps.flatMap((step) => (outputs.has(step) ? [`### ${outputs.get(step)!.trim()}`, ""] : [])),
  ]
  return `${lines.join("\n").trim()}\n`
}

/** A section of the page. `head`: date, commit, machine and parameters. */
export function outputOf(step: string, head: string, output: string): string {
  return [step, "", head, "", "```", output, "```"].join("\n")
}

function rounded(work: number): string {
  return String(Number(work.toFixed(1)))
}
