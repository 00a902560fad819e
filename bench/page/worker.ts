/** Runs one experiment away from the page, so that nothing it shows is slowed down, nor slows it down. */
import { Unavailable } from "../src/experiment.ts"
import type { Options } from "../src/experiment.ts"
import { experimentsAnywhere } from "../src/experiments-anywhere.ts"
import type { Figure } from "../src/figure.ts"

export type WorkerRequest = { readonly experiment: string; readonly options: Options }

export type WorkerReport =
  | { readonly type: "progress"; readonly part: number }
  | { readonly type: "figure"; readonly figure: Figure }
  | { readonly type: "done" }
  /** It cannot be had in this browser. */
  | { readonly type: "unavailable"; readonly reason: string }

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => void obey(data))

async function obey({ experiment, options }: WorkerRequest): Promise<void> {
  const report = (said: WorkerReport): void => postMessage(said)
  const chosen = experimentsAnywhere.find(({ name }) => name === experiment)!
  try {
    const figures = chosen.run(options, (done, of) => report({ type: "progress", part: done / of }))
    for await (const figure of figures) report({ type: "figure", figure })
    report({ type: "done" })
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    report({ type: "unavailable", reason: error.message })
  }
}
