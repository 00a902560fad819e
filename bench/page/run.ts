import { Unavailable } from "../src/experiment.ts"
import type { Experiment, Options } from "../src/experiment.ts"
import { experimentsOnPage } from "../src/experiments-on-page.ts"
import type { Figure } from "../src/figure.ts"
import type { WorkerReport, WorkerRequest } from "./worker.ts"

export type RunSink = {
  /** From 0 to 1. */
  readonly progress: (part: number) => void
  readonly figure: (figure: Figure) => void
  readonly done: () => void
  readonly failed: (reason: string) => void
}

/** Starts an experiment where it belongs; what is given back stops it. */
export function start(experiment: Experiment, options: Options, sink: RunSink): () => void {
  return experimentsOnPage.includes(experiment)
    ? startHere(experiment, options, sink)
    : startWorker(experiment, options, sink)
}

function startWorker({ name }: Experiment, options: Options, sink: RunSink): () => void {
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

class Stopped extends Error {}

/** Real data channels exist on the page only. */
function startHere(experiment: Experiment, options: Options, sink: RunSink): () => void {
  let stopped = false
  const progress = (done: number, of: number): void => {
    if (stopped) throw new Stopped()
    sink.progress(done / of)
  }
  void (async () => {
    try {
      for await (const figure of experiment.run(options, progress)) if (!stopped) sink.figure(figure)
      if (!stopped) sink.done()
    } catch (error) {
      if (error instanceof Stopped) return
      sink.failed(error instanceof Unavailable ? error.message : String(error))
    }
  })()
  return () => (stopped = true)
}
