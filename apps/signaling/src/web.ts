import { existsSync } from "node:fs"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { join } from "node:path"
import sirv from "sirv"
import { StartError } from "./start-error.ts"

/**
 * The page may run its own scripts and talk to its own server, and nothing else: what a peer sends can become neither a
 * script nor a request to a stranger. Inline styles are the board's, WebAssembly the cryptography's.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join("; ")

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  // A conference's path is its id: no other site may learn it from a link that somebody follows.
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy":
    "camera=(), microphone=(), geolocation=(), display-capture=(), payment=(), usb=(), serial=(), hid=(), " +
    "midi=(), clipboard-read=(self), clipboard-write=(self), fullscreen=(self)",
}

/** `/c/<id>` is a page of the app; which one, it reads from its own address. */
const CONFERENCE_PATH = /^\/c\/[0-9A-Za-z_-]{1,128}\/?$/u

type Next = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Answers `/healthz`, and the built app's files if there is one. Hashed files are cached for good, the page is
 * revalidated every time, so that a new version is seen at once and never mixed with the former.
 * @param webDir the built app; undefined serves none
 * @throws StartError when `webDir` holds no built app
 */
export function webListener(webDir: string | undefined): RequestListener {
  const serveApp = webDir === undefined ? notFound : appFiles(webDir)
  return (request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD")
      return answer(response, 405, "This address answers GET and HEAD only.\n")
    }
    if (pathOf(request) === "/healthz") return answer(response, 200, "ok\n")
    return serveApp(request, response)
  }
}

function appFiles(webDir: string): Next {
  if (!existsSync(join(webDir, "index.html"))) {
    throw new StartError(`The web app is not built: ${join(webDir, "index.html")} is missing. Run "npm run build:web".`)
  }
  // sirv lists the files once, at the start: no request's path ever reaches the file system.
  const files = sirv(webDir, {
    etag: true,
    setHeaders: (response, path) => {
      const hashed = path.startsWith("/assets/")
      response.setHeader("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache")
    },
  })
  return (request, response) => {
    if (CONFERENCE_PATH.test(pathOf(request))) request.url = "/"
    files(request, response, () => notFound(request, response))
  }
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  answer(response, 404, "There is nothing here.\n")
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" }).end(text)
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/"
}
