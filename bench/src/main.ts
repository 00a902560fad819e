/** npm run bench -- list | EXPERIMENT | all | compare; see `options.ts`. */
import { compare, compareReport } from "./run/compare.ts"
import { UNAVAILABLE, USAGE_WRONG } from "./run/exit-codes.ts"
import { Unavailable } from "./experiment/experiment.ts"
import { loadExperiments } from "./experiments.ts"
import type { Figure } from "./experiment/figure.ts"
import { parseRequest, type Request, USAGE, UsageError } from "./run/options.ts"
import { needCommit, readResult } from "./run/result.ts"
import { runAll } from "./run/run-all.ts"
import { runOne } from "./run/run-one.ts"

const args = process.argv.slice(2)
const experiments = await loadExperiments(args[0])
try {
  process.exitCode = await obey(parseRequest(args, experiments))
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof Unavailable)) throw error
  console.error(error.message)
  // For `run-all.ts`, which repeats the message in its summary.
  process.send?.(error.message)
  process.exitCode = error instanceof UsageError ? USAGE_WRONG : UNAVAILABLE
}

async function obey(request: Request): Promise<number> {
  switch (request.command) {
    case "list":
      for (const { name, about, needs } of experiments)
        console.log(`${name}: ${about}${needs === undefined ? "" : ` Needs ${needs}.`}`)
      console.log(`\n${USAGE}`)
      return 0
    case "docs":
      await (await import("./docs/write.ts")).writeDocs(experiments, request)
      return 0
    case "compare":
      console.log(compareReport(compare(...kept(request.files))))
      return 0
    case "all":
      needCommit(request.out)
      return (await runAll(experiments, request.options, request)) ? 0 : 1
    case "run":
      needCommit(request.out)
      await runOne(request)
      return 0
  }
}

function kept([before, after]: readonly [string, string]): [readonly Figure[], readonly Figure[]] {
  const [then, now] = [readResult(before), readResult(after)]
  for (const [file, { at, commit, machine }] of [
    [before, then],
    [after, now],
  ] as const) {
    console.log(`${file}: ${at}, commit ${commit}, ${machine}`)
  }
  if (then.experiment !== now.experiment)
    throw new UsageError(`${before} is of ${then.experiment}, ${after} of ${now.experiment}: nothing to compare.`)
  if (then.machine !== now.machine) console.log("These are two machines: a ratio may be theirs.")
  if (then.quick !== now.quick) console.log("One of them is a quick run: of fewer runs, whose spread is smaller.")
  return [then.figures, now.figures]
}
