import { createEngineWorker } from "#engine-worker"

let early: Worker | null = null
/** Its first message tells that it runs, and can come before anybody listens. */
const started = new WeakSet<Worker>()

/**
 * Starts the engine's worker while the rest of the page is loaded. Call it in a small module that the page loads before
 * all others. The page's first question or identity takes this worker. A failure is not reported here: the caller that
 * needs an engine gets the error.
 */
export function startEngineEarly(): void {
  if (early !== null || typeof Worker === "undefined") return
  const worker = createEngineWorker()
  early = worker
  worker.addEventListener("message", () => started.add(worker), { once: true })
  worker.addEventListener("error", () => (early = early === worker ? null : early), { once: true })
}

/** Returns the worker that was started early, at most once; later a new one. */
export function engineWorker(): Worker {
  const worker = early ?? createEngineWorker()
  early = null
  return worker
}

export function hasStarted(worker: Worker): boolean {
  return started.has(worker)
}
