import { store } from "../store.ts"

/** Whether a newer build than this page is ready. */
export const newerBuild = store(false)

const CHECK_INTERVAL_MS = 30 * 60_000
/** A conference that is starting needs the bandwidth more. */
const REGISTER_AFTER_MS = 4000

/** Keeps the page on the device, so that it opens without its server, and notices newer builds. */
export function keepPage(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return
  setTimeout(() => {
    navigator.serviceWorker
      .register("/sw.js", { updateViaCache: "none" })
      .then(follow)
      .catch(() => undefined) // A browser that allows none: the page works as ever, with its server.
  }, REGISTER_AFTER_MS)
}

function follow(registration: ServiceWorkerRegistration): void {
  const lookAt = () => void welcome(registration.waiting)
  const watch = () => registration.installing?.addEventListener("statechange", lookAt)
  registration.addEventListener("updatefound", watch)
  watch()
  lookAt()
  setInterval(() => void registration.update().catch(() => undefined), CHECK_INTERVAL_MS)
}

/** A worker of this page's own build takes over at once; a newer one at the next reload. */
async function welcome(waiting: ServiceWorker | null): Promise<void> {
  if (waiting === null) return
  const version = await versionOf(waiting)
  if (version === ownVersion()) waiting.postMessage("take-over")
  else if (version !== null) newerBuild.set(true)
}

function versionOf(worker: ServiceWorker): Promise<string | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener("message", ({ data }) => {
      port1.close()
      resolve(typeof data === "string" ? data : null)
    })
    port1.start()
    worker.postMessage("version", [port2])
  })
}

function ownVersion(): string | null {
  return document.querySelector('meta[name="keymoot-build"]')?.getAttribute("content") ?? null
}
