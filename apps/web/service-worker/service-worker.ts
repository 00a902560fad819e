/**
 * Keeps the page on the device, so that it opens without its server. It answers for files of this one build only, each
 * of which was checked against the hash it was built with, and it never stands in front of a server that answers: the
 * page itself is asked for anew every time. `build/serviceWorker.ts` writes `BUILD` above this; docs/threats.md says
 * what it changes.
 */
declare const BUILD: {
  readonly version: string
  /** Path to hash: what the page needs to open, kept from the start. */
  readonly shell: Readonly<Record<string, string>>
  /** What else was built; kept when it is first used. */
  readonly rest: Readonly<Record<string, string>>
}
const scope = self as unknown as ServiceWorkerGlobalScope

const CACHE = `keymoot ${BUILD.version}`
/** A tab that was opened before an update still loads parts of its own build. */
const CACHES_KEPT = 2
/** A server that answers no sooner counts as away. */
const PAGE_WAIT_MS = 5000
const PAGE = "/"
/** As the server has it. */
const PAGE_PATH = /^\/(?:c\/[0-9A-Za-z_-]{1,128}\/?)?$/

scope.addEventListener("install", (event) => event.waitUntil(keepShell()))
scope.addEventListener("activate", (event) => event.waitUntil(forgetOlder()))
scope.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== scope.location.origin) return
  if (request.mode === "navigate") {
    if (PAGE_PATH.test(pathname)) event.respondWith(answerPage(request))
  } else if (pathname !== PAGE && hashOf(pathname) !== undefined) event.respondWith(answerFile(request, pathname))
})
scope.addEventListener("message", ({ data, ports }: ExtendableMessageEvent) => {
  if (data === "version") ports[0]?.postMessage(BUILD.version)
  else if (data === "take-over") void scope.skipWaiting()
})

async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE)
  // One after the other: a conference that is beginning needs the line more. A file with another hash ends it all.
  for (const path of Object.keys(BUILD.shell)) {
    if ((await cache.match(path)) === undefined) await cache.put(path, await fetchChecked(path))
  }
}

async function forgetOlder(): Promise<void> {
  const ours = (await caches.keys()).filter((name) => name.startsWith("keymoot ") && name !== CACHE)
  await Promise.all(ours.slice(0, Math.max(0, ours.length - (CACHES_KEPT - 1))).map((name) => caches.delete(name)))
}

/** The server's page; the kept one only if there is none to be had. */
async function answerPage(request: Request): Promise<Response> {
  const kept = async () => (await caches.open(CACHE)).match(PAGE)
  const asked = fetch(request)
  asked.catch(() => undefined)
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PAGE_WAIT_MS))
  const answer = await Promise.race([asked, late]).catch(() => null)
  // What stands in front of a server that is down says so in numbers like these.
  if (answer !== null && answer.status < 500) return answer
  return (await kept()) ?? answer ?? asked
}

/** Its name holds its hash, so what is kept is what the server has. */
async function answerFile(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(path)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (isOurs(answer)) {
    const copy = await fetchChecked(path).catch(() => null)
    if (copy !== null) await cache.put(path, copy)
  }
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
