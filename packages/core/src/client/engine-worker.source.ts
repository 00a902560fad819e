/** `#engine-worker` inside this repository: the bundler compiles the worker from its sources. */
export function createEngineWorker(): Worker {
  return new Worker(new URL("../runtime/worker.ts", import.meta.url), { type: "module", name: "keymoot" })
}
