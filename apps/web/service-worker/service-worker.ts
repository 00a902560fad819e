/**
 * Keeps the page on the device, so that it opens without its server. It serves files of one build only, each checked
 * against the hash of that build. It never replaces a server that answers: the page itself is requested every time.
 * `build/serviceWorker.ts` writes `BUILD` above this; docs/threats.md says what it changes.
 */
declare const BUILD: {
  readonly version: string
  /** Hash by path of the files that the page needs to open; cached at installation. */
  readonly shell: Readonly<Record<string, string>>
  /** The other files of the build, cached at their first use. */
  readonly rest: Readonly<Record<string, string>>
}
const scope = self as unknown as ServiceWorkerGlobalScope

const CACHE = `keymoot ${BUILD.version}`
/** A tab that was opened before an update still loads parts of its own build. */
const CACHES_KEPT = 2
/** Timeout after which the server counts as unreachable. */
const PAGE_WAIT_MS = 5000
const PAGE = "/"
/** The page as the server sent it. */
const PAGE_PATH = /^\/(?:c\/[0-9A-Za-z_-]{1,128}\/?|verify)?$/

scope.addEventListener("install", (event) => event.waitUntil(keepShell()))
scope.addEventListener("activate", (event) => event.waitUntil(forgetOlder()))
scope.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== scope.location.origin) return
  if (request.mode === "navigate") {
    if (PAGE_PATH.test(pathname)) event.respondWith(answerPage(request))
  } else if (pathname !== PAGE && hashOf(pathname) !== undefined) event.respondWith(answerFile(pathname))
})
scope.addEventListener("message", (event) => {
  const { data, ports, source } = event
  if (data === "version") ports[0]?.postMessage(BUILD.version)
  else if (data === "take-over") void scope.skipWaiting()
  else event.waitUntil(notify(data as Notice, source as WindowClient))
})
scope.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(showPage(event.notification.data as string))
})

/** Text and tag of a notification that a page may not show itself, as on Android. */
type Notice = { readonly notify: string; readonly tag: string }

function notify({ notify, tag }: Notice, { id }: WindowClient): Promise<void> {
  // Without `renotify`, one that replaces another is silent. TypeScript's types lack it.
  return scope.registration.showNotification(notify, { tag, renotify: true, data: id } as NotificationOptions)
}

/** Focuses the page that asked for the notification, if it is still there. */
async function showPage(id: string): Promise<void> {
  const page = (await scope.clients.get(id)) as WindowClient | undefined
  await page?.focus()
}

async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE)
  // Sequential: a conference that is starting needs the bandwidth more. A file with another hash aborts the
  // installation.
  for (const path of Object.keys(BUILD.shell)) {
    if ((await cache.match(path)) === undefined) await cache.put(path, await fetchChecked(path))
  }
}

async function forgetOlder(): Promise<void> {
  const ours = (await caches.keys()).filter((name) => name.startsWith("keymoot ") && name !== CACHE)
  await Promise.all(ours.slice(0, Math.max(0, ours.length - (CACHES_KEPT - 1))).map((name) => caches.delete(name)))
}

/** The server's page, or the cached one if the server is unreachable. */
async function answerPage(request: Request): Promise<Response> {
  const kept = async () => (await caches.open(CACHE)).match(PAGE)
  const asked = fetch(request)
  asked.catch(() => undefined)
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PAGE_WAIT_MS))
  const answer = await Promise.race([asked, late]).catch(() => null)
  // Status codes by which a reverse proxy reports that the server is down.
  if (answer !== null && answer.status < 500) return answer
  return (await kept()) ?? answer ?? asked
}

/**
 * Its name contains its hash, so the cached file equals the server's.
 *
 * @throws TypeError for a file that the server changed, or that it does not send
 */
async function answerFile(path: string): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(path)
  if (kept !== undefined) return kept
  const answer = await fetchChecked(path)
  // A device without room for it still uses it.
  await cache.put(path, answer.clone()).catch(() => undefined)
  return answer
}

/** @throws TypeError for anything but the file that was built */
async function fetchChecked(path: string): Promise<Response> {
  const answer = await fetch(path, { integrity: hashOf(path) ?? "", redirect: "error", credentials: "omit" })
  if (!isOurs(answer)) throw new TypeError(`${path} is not to be had.`)
  return answer
}

function isOurs(answer: Response): boolean {
  return answer.ok && answer.type === "basic" && !answer.redirected
}

function hashOf(path: string): string | undefined {
  if (Object.hasOwn(BUILD.shell, path)) return BUILD.shell[path]
  return Object.hasOwn(BUILD.rest, path) ? BUILD.rest[path] : undefined
}
