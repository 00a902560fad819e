/** The stored result of one experiment: its figures and their origin. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"
import { join, resolve } from "node:path"
import type { Figure } from "../experiment/figure.ts"
import { UsageError } from "./options.ts"

/** The results that documents show. */
export const RESULTS = join(import.meta.dirname, "../../results")

/** Origin of figures. */
type Origin = {
  /** Day and time, UTC. */
  readonly at: string
  /** Ends in "+" if the tree had changes that are in no commit. */
  readonly commit: string
  /** Nothing that names it: kind of processor, cores, memory, system, runtime. */
  readonly machine: string
}

export type Result = Origin & {
  readonly experiment: string
  readonly quick: boolean
  /** Parts that were measured alone, later than the rest. */
  readonly parts?: readonly (Origin & { readonly part: string })[]
  readonly figures: readonly Figure[]
}

export function resultOf(experiment: string, quick: boolean, figures: readonly Figure[]): Result {
  return { experiment, at: new Date().toISOString(), commit: commit(), machine: machine(), quick, figures }
}

/** @throws UsageError if results would go to those that documents show, and no commit has what they measure */
export function needCommit(out: string | undefined, measured = commit()): void {
  if (out === undefined || resolve(out) !== RESULTS || /^[0-9a-f]+$/u.test(measured)) return
  throw new UsageError("Results in bench/results name a commit: commit the changes first, or give --out elsewhere.")
}

/** Returns the whole with the figures of a part that ran alone, and its origin. */
export function withPart(whole: Result, part: string, { at, commit, machine, figures }: Result): Result {
  const parts = [...(whole.parts ?? []).filter((one) => one.part !== part), { part, at, commit, machine }]
  const others = whole.figures.filter(({ metric }) => !metric.startsWith(`${part}: `))
  return { ...whole, parts, figures: [...figures, ...others] }
}

/** Writes DIRECTORY/EXPERIMENT.json, a figure a line, and gives its path. */
export function keep(directory: string, result: Result): string {
  const { figures, ...head } = result
  const lines = figures.map((figure) => `    ${JSON.stringify(figure)}`).join(",\n")
  const text = `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "figures": [\n${lines}\n  ]\n}\n`
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `${result.experiment}.json`)
  writeFileSync(path, text)
  return path
}

/** @throws UsageError that names the file, if it holds no results */
export function readResult(path: string): Result {
  try {
    const result = JSON.parse(readFileSync(path, "utf8")) as Result
    if (Array.isArray(result.figures)) return result
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  throw new UsageError(`${path} holds no results of the benchmark.`)
}

function machine(): string {
  const processors = cpus()
  const kind = processors[0]?.model.replace(/\s+/gu, " ").trim() || "unknown processor"
  const memoryGb = Math.round(totalmem() / 1e9)
  return `${kind}, ${processors.length} cores, ${memoryGb} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
}

function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    const head = git("rev-parse", "--short=12", "HEAD").trim()
    // Results and what is generated from them change while they are made.
    const changed = git(
      "status",
      "--porcelain",
      "--",
      ":/",
      ":!/bench/results",
      ":!/docs/benchmarks*",
      ":!/docs/images",
    )
    return changed.trim() === "" ? head : `${head}+`
  } catch {
    return "unknown"
  }
}
