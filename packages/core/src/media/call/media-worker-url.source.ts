/** `#media-worker` inside this repository: the bundler compiles the worker from its sources. */
export function createMediaWorker(): Worker {
  return new Worker(new URL("../worker/media-worker.ts", import.meta.url), { type: "module", name: "keymoot-media" })
}
