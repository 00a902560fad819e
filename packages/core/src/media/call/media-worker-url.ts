/** `#media-worker` in the published package: a prebuilt file without dependencies, as `#engine-worker` is. */
export function createMediaWorker(): Worker {
  const url = new URL("../../../browser/keymoot-media-worker.js", import.meta.url)
  return new Worker(url, { type: "module", name: "keymoot-media" })
}
