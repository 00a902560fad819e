import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { serviceWorker, versionOf } from "../../build/serviceWorker.ts"

const HASHES = {
  "/assets/de-DE-1.js": "sha384-german",
  "/assets/el-GR-1.js": "sha384-greek",
  "/assets/main-1.js": "sha384-main",
  "/assets/excalidraw/fonts/Xiaolai/1.woff2": "sha384-large",
  "/index.html": "sha384-page",
  "/integrity.json": "sha384-list",
}
const ORIGIN = "https://meet.example"

type Listener = (event: Record<string, unknown>) => void
type Asked = { readonly path: string; readonly integrity: string | undefined }
type Shown = { readonly text: string; readonly options: { readonly data?: unknown } }

/** The worker in a browser of few functions. `network`: what a path or request is answered with. */
async function install(network: (path: string) => Partial<Response> | "away" | "changed") {
  const listeners = new Map<string, Listener>()
  const cache = new Map<string, unknown>()
  const asked: Asked[] = []
  const fetch = async (request: string | { url: string }, options?: { integrity?: string }) => {
    const path = typeof request === "string" ? request : new URL(request.url).pathname
    asked.push({ path, integrity: options?.integrity })
    const answer = network(path)
    const refused = answer === "away" || (answer === "changed" && options?.integrity !== undefined)
    if (refused) throw new TypeError("away")
    const response = { ok: true, status: 200, type: "basic", redirected: false, path }
    return { ...response, clone: () => response, ...(answer === "changed" ? {} : answer) }
  }
  let full = false
  const open = async () => ({
    match: async (path: string) => cache.get(path),
    async put(path: string, answer: unknown) {
      if (full) throw new DOMException("", "QuotaExceededError")
      cache.set(path, answer)
    },
  })
  const shown: Shown[] = []
  const focused: string[] = []
  const registration = {
    showNotification: async (text: string, options: Shown["options"]) => void shown.push({ text, options }),
  }
  const clients = {
    get: async (id: string) => (id.startsWith("tab") ? { focus: async () => void focused.push(id) } : undefined),
  }
  const scope = {
    registration,
    clients,
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
  }
  runInNewContext(await serviceWorker(HASHES, versionOf(HASHES)), {
    self: { ...scope, location: new URL(ORIGIN) },
    caches: { open, keys: async () => [], delete: async () => true },
    fetch,
    URL,
    setTimeout: () => 0,
  })
  let installing: Promise<unknown> = Promise.resolve()
  listeners.get("install")?.({ waitUntil: (work: Promise<unknown>) => (installing = work) })
  /** The worker's answer to a request of the page; null if it leaves the request to the browser. */
  async function request(url: string, mode = "cors", method = "GET"): Promise<{ path?: string } | null> {
    let answer: Promise<unknown> | null = null
    const respondWith = (promise: Promise<unknown>) => (answer = promise)
    listeners.get("fetch")?.({ request: { url, mode, method }, respondWith })
    return answer === null ? null : ((await answer) as { path?: string })
  }
  /** Has the worker handle an event, and waits for all that it does about it. */
  async function dispatch(name: string, event: object): Promise<void> {
    const work: Promise<unknown>[] = []
    listeners.get(name)?.({ ...event, waitUntil: (promise: Promise<unknown>) => work.push(promise) })
    await Promise.all(work)
  }
  return { installing, cache, asked, request, dispatch, shown, focused, fill: () => void (full = true) }
}

test("keeps what the page needs to open, each file by its hash, and not the large rest", async () => {
  const { installing, cache, asked } = await install(() => ({}))
  await installing
  expect([...cache.keys()].toSorted()).toEqual(["/", "/assets/de-DE-1.js", "/assets/main-1.js"])
  expect(asked.find(({ path }) => path === "/")?.integrity).toBe("sha384-page")
  expect(asked.find(({ path }) => path === "/assets/main-1.js")?.integrity).toBe("sha384-main")
})

test.each([
  ["comes from another origin", { type: "cors" }],
  ["was found by a redirection", { redirected: true }],
  ["is an error", { ok: false, status: 404 }],
] as const)("is not installed if a file %s", async (_, answer) => {
  const { installing, cache } = await install((path) => (path.startsWith("/assets/") ? (answer as object) : {}))
  await expect(installing).rejects.toThrow(/is not to be had/u)
  expect([...cache.keys()].filter((path) => path.startsWith("/assets/"))).toEqual([])
})

test("leaves other origins, other addresses and uploads to the browser", async () => {
  const { installing, request } = await install(() => ({}))
  await installing
  for (const [url, mode, method] of [
    ["https://stranger.example/assets/main-1.js", "cors", "GET"],
    ["https://stranger.example/", "navigate", "GET"],
    [`${ORIGIN}/signaling/?x`, "cors", "GET"],
    [`${ORIGIN}/metrics`, "navigate", "GET"],
    [`${ORIGIN}/assets/unknown.js`, "cors", "GET"],
    [`${ORIGIN}/`, "navigate", "POST"],
  ] as const)
    expect(await request(url, mode, method), url).toBeNull()
})

test("serves the server's page when the server answers, and else the cached one", async () => {
  let away = false
  let failing = false
  const { installing, request, asked } = await install(() =>
    away ? "away" : failing ? { ok: false, status: 503 } : {},
  )
  await installing
  const before = asked.length
  expect(await request(`${ORIGIN}/c/abc`, "navigate")).toMatchObject({ path: "/c/abc" })
  expect(asked.length).toBe(before + 1)
  failing = true
  expect(await request(`${ORIGIN}/c/abc`, "navigate")).toMatchObject({ path: "/" })
  away = true
  expect(await request(`${ORIGIN}/`, "navigate")).toMatchObject({ path: "/" })
  expect(await request(`${ORIGIN}/verify`, "navigate")).toMatchObject({ path: "/" })
  expect(await request(`${ORIGIN}/assets/main-1.js`)).toMatchObject({ path: "/assets/main-1.js" })
})

test("a large file is kept once it has been used, by its hash", async () => {
  const { installing, request, cache, asked } = await install(() => ({}))
  await installing
  const path = "/assets/excalidraw/fonts/Xiaolai/1.woff2"
  await request(ORIGIN + path)
  expect(cache.has(path)).toBe(true)
  expect(asked.at(-1)).toEqual({ path, integrity: "sha384-large" })
})

test("a file that the server changed reaches no page, also at its first use", async () => {
  const path = "/assets/excalidraw/fonts/Xiaolai/1.woff2"
  const { installing, request, cache } = await install((asked) => (asked === path ? "changed" : {}))
  await installing
  await expect(request(ORIGIN + path)).rejects.toThrow()
  expect(cache.has(path)).toBe(false)
})

test("a large file is served where the device has no room to keep it", async () => {
  const { installing, request, fill } = await install(() => ({}))
  await installing
  fill()
  const path = "/assets/excalidraw/fonts/Xiaolai/1.woff2"
  expect(await request(ORIGIN + path)).toMatchObject({ path })
})

test("has another version when any file but the page that names it differs", () => {
  expect(versionOf({ ...HASHES, "/assets/main-1.js": "sha384-other" })).not.toBe(versionOf(HASHES))
  expect(versionOf({ ...HASHES, "/index.html": "sha384-other" })).toBe(versionOf(HASHES))
})

test("shows a page's notification, and that page when a person presses it", async () => {
  const { dispatch, shown, focused } = await install(() => ({}))
  const message = { data: { notify: "New message", tag: "conference" }, source: { id: "tab 2" } }
  await dispatch("message", message)
  expect(shown).toMatchObject([{ text: "New message", options: { tag: "conference", renotify: true } }])
  let closed = 0
  const press = (data: unknown) => dispatch("notificationclick", { notification: { data, close: () => closed++ } })
  await press(shown[0]!.options.data)
  await press("a page that is gone")
  expect(focused).toEqual(["tab 2"])
  expect(closed).toBe(2)
})
