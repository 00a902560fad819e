import type { Experiment, Options } from "../src/experiment/experiment.ts"
import type { Figure } from "../src/experiment/figure.ts"
import { needsPage } from "./experiments.ts"
import { inWorker } from "./in-worker.ts"

export type RunSink = {
  /** From 0 to 1. */
  readonly progress: (part: number) => void
  readonly figure: (figure: Figure) => void
  readonly done: () => void
  readonly failed: (reason: string) => void
}

/**
 * Starts an experiment, in a worker of its own if it can be in one; what is given back stops it. Workers have no WebRTC: what is in the
 * page ends as soon as it tells how far it is, and cleans up by itself.
 */
export function start(experiment: Experiment, options: Options, sink: RunSink): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const run = needsPage(experiment) ? experiment.run : inWorker(experiment.name, signal)
  const resume = async (): Promise<void> => {
    const figures = run(options, (done, of) => {
      signal.throwIfAborted()
      sink.progress(done / of)
    })
    for await (const figure of figures) if (!signal.aborted) sink.figure(figure)
  }
  resume().then(
    () => signal.aborted || sink.done(),
    (error: Error) => signal.aborted || sink.failed(error.message),
  )
  return () => stop.abort()
}
