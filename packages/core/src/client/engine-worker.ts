/**
 * `#engine-worker` in the published package: a prebuilt file without dependencies. Bundlers treat a `URL` of this form
 * as an asset and copy the file unchanged. Without a bundler it is an address. Inside `new Worker(…)` each bundler
 * would bundle the file a second time in its own way.
 */
export function createEngineWorker(): Worker {
  const url = new URL("../../browser/keymoot-worker.js", import.meta.url)
  return new Worker(url, { type: "module", name: "keymoot" })
}
