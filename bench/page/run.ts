import type { Experiment, Options } from "../src/experiment.ts"
import { needsPage } from "./experiments.ts"
import type { Figure } from "../src/figure.ts"
import type { WorkerReport, WorkerRequest } from "./worker.ts"

export type RunSink = {
  /** From 0 to 1. */
  readonly progress: (part: number) => void
  readonly figure: (figure: Figure) => void
  readonly done: () => void
  readonly failed: (reason: string) => void
}

/** Starts an experiment, in a worker of its own if it can be in one; what is given back stops it. */
export function start(experiment: Experiment, options: Options, sink: RunSink): () => void {
  return needsPage(experiment) ? startHere(experiment, options, sink) : startInWorker(experiment, options, sink)
}

/** Workers have no WebRTC. It ends as soon as it tells how far it is, and cleans up by itself. */
function startHere({ run }: Experiment, options: Options, sink: RunSink): () => void {
  let stopped = false
  const goOn = async (): Promise<void> => {
    const figures = run(options, (done, of) => {
      if (stopped) throw new Error("stopped")
      sink.progress(done / of)
    })
    for await (const figure of figures) if (!stopped) sink.figure(figure)
  }
  goOn().then(
    () => stopped || sink.done(),
    (error: Error) => stopped || sink.failed(error.message),
  )
  return () => void (stopped = true)
}

function startInWorker({ name }: Experiment, options: Options, sink: RunSink): () => void {
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
