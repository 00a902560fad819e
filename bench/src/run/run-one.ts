/** One experiment, its figures printed and kept. */
import { join } from "node:path"
import { asLine, type Figure } from "../experiment/figure.ts"
import type { Request } from "./options.ts"
import { keep, readResult, resultOf, withPart, type Result } from "./result.ts"

type RunRequest = Extract<Request, { command: "run" }>

/** @throws Error with the experiment's error as its cause if it ended early; the figures before it are printed and kept */
export async function runOne({ experiment, options, json, out }: RunRequest): Promise<void> {
  const figures: Figure[] = []
  let failure: unknown = null
  try {
    for await (const figure of experiment.run(options, showProgress)) {
      figures.push(figure)
      if (json) console.log(JSON.stringify(figure))
    }
  } catch (error) {
    // Figures that took minutes to measure are kept.
    if (figures.length === 0) throw error
    failure = error
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K")
  if (!json) console.log(experiment.report?.(figures) ?? figures.map(asLine).join("\n"))
  const result = resultOf(experiment.name, options.quick ?? false, figures)
  if (out !== undefined) console.error(`Kept in ${keep(out, wholeOf(result, options.part, out))}`)
  if (failure !== null)
    throw new Error(`${experiment.name} ended early. Figures kept: ${figures.length}.`, { cause: failure })
}

/** @throws UsageError if a part has no results to go into */
function wholeOf(result: Result, part: string | undefined, out: string): Result {
  return part === undefined ? result : withPart(readResult(join(out, `${result.experiment}.json`)), part, result)
}

/** For a person who waits; a file that takes the output stays clean. */
function showProgress(done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${Math.floor((done / of) * 100)} %`)
}
