import type { Experiment, Options } from "../src/experiment.ts"
import type { Figure } from "../src/figure.ts"
import type { WorkerReport, WorkerRequest } from "./worker.ts"

export type RunSink = {
  /** From 0 to 1. */
  readonly progress: (part: number) => void
  readonly figure: (figure: Figure) => void
  readonly done: () => void
  readonly failed: (reason: string) => void
}

/** Starts an experiment in a worker of its own; what is given back stops it. */
export function start({ name }: Experiment, options: Options, sink: RunSink): () => void {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
  worker.addEventListener("message", ({ data }: MessageEvent<WorkerReport>) => {
    if (data.type === "progress") return sink.progress(data.part)
    if (data.type === "figure") return sink.figure(data.figure)
    worker.terminate()
    if (data.type === "done") sink.done()
    else sink.failed(data.reason)
  })
  worker.addEventListener("error", ({ message }) => {
    worker.terminate()
    sink.failed(message)
  })
  const request: WorkerRequest = { experiment: name, options }
  worker.postMessage(request)
  return () => worker.terminate()
}
