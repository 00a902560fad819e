/** Experiments away from the page, so that nothing it shows is slowed down, nor slows it down. */
import type { Experiment } from "../src/experiment/experiment.ts"
import type { Figure } from "../src/experiment/figure.ts"
import type { WorkerReport, WorkerRequest } from "./worker.ts"

/** `run` of the experiment that the worker knows by that name; its worker ends with it, at once when `stop` is aborted. */
export function inWorker(name: string, stop?: AbortSignal): Experiment["run"] {
  return async function* (options, progress): AsyncGenerator<Figure> {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
    const reports: WorkerReport[] = []
    let wake = (): void => {}
    const hear = (report: WorkerReport): void => {
      reports.push(report)
      wake()
    }
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerReport>) => hear(data))
    worker.addEventListener("error", ({ message }) => hear({ type: "failed", reason: message }))
    stop?.addEventListener("abort", () => hear({ type: "done" }))
    try {
      for (;;) {
        const report = reports.shift()
        if (!report) await new Promise<void>((woken) => (wake = woken))
        else if (report.type === "ready") worker.postMessage({ experiment: name, options } satisfies WorkerRequest)
        else if (report.type === "progress") progress(report.part, 1)
        else if (report.type === "figure") yield report.figure
        else if (report.type === "done") return
        else throw new Error(report.reason)
      }
    } finally {
      worker.terminate()
    }
  }
}
