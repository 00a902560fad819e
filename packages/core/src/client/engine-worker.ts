/**
 * `#engine-worker` in the published package: a file built beforehand, which needs nothing else. Bundlers take a `URL` of
 * this form for an asset and pass the file on untouched, and without a bundler it is an address; inside `new Worker(…)`
 * they would bundle the file a second time, each in its own way.
 */
export function createEngineWorker(): Worker {
  const url = new URL("../../browser/keymoot-worker.js", import.meta.url)
  return new Worker(url, { type: "module", name: "keymoot" })
}
