/** Runs one experiment: see `in-worker.ts`. */
import { type Options, Unavailable } from "../src/experiment/experiment.ts"
import { experimentsAnywhere } from "../src/experiments-anywhere.ts"
import type { Figure } from "../src/experiment/figure.ts"
import { removalsExperiment } from "../src/peers/removals-experiment.ts"

const known = [...experimentsAnywhere, removalsExperiment]

export type WorkerRequest = { readonly experiment: string; readonly options: Options }

export type WorkerReport =
  /** It listens: what is said to it while it still loads is lost. */
  | { readonly type: "ready" }
  | { readonly type: "progress"; readonly part: number }
  | { readonly type: "figure"; readonly figure: Figure }
  | { readonly type: "done" }
  | { readonly type: "failed"; readonly reason: string }

const report = (said: WorkerReport): void => postMessage(said)

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => void obey(data))
report({ type: "ready" })

async function obey({ experiment, options }: WorkerRequest): Promise<void> {
  const chosen = known.find(({ name }) => name === experiment)!
  try {
    const figures = chosen.run(options, (done, of) => report({ type: "progress", part: done / of }))
    for await (const figure of figures) report({ type: "figure", figure })
    report({ type: "done" })
  } catch (error) {
    report({ type: "failed", reason: error instanceof Error ? error.message : `${error}` })
    // A missing feature of this browser is no error of the program.
    if (!(error instanceof Unavailable)) throw error
  }
}
