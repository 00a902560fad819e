import { figureOf, type Figure } from "../experiment/figure.ts"

export const MB = 1_000_000

export type Run = {
  readonly raw: number
  /** Processor time of all processes of both browsers. */
  readonly rawProcessorMs: number
  readonly processorMs: number
  readonly prepared: number
  readonly fetched: number
  readonly sender: number
  readonly receiver: number
}

export function figuresOf(runs: readonly Run[], bytes: number): Figure[] {
  const experiment = "files"
  const of = `${bytes / MB} MB`
  const figure = (metric: string, unit: string, value: (run: Run) => number): Figure =>
    figureOf({ experiment, metric, unit }, runs.map(value))
  return [
    figure(`raw data channel between the same pages, ${of} in messages of 16 KiB`, "MB/s", ({ raw }) => raw),
    figure(`a file of ${of}, from pressing Save to all of it checked and kept`, "MB/s", ({ fetched }) => fetched),
    figure("the same, to the raw data channel of its run", "ratio", ({ fetched, raw }) => fetched / raw),
    figure("processor time of both browsers, 1 MB of it", "ms", ({ processorMs }) => processorMs),
    figure("processor time of both browsers, 1 MB over the raw data channel", "ms", (run) => run.rawProcessorMs),
    figure(`preparing it: reading, hashing and keeping a copy`, "MB/s", ({ prepared }) => prepared),
    figure("growth of the sender's page process, at most", "MB", ({ sender }) => sender),
    figure("growth of the receiver's page process, at most", "MB", ({ receiver }) => receiver),
  ]
}
