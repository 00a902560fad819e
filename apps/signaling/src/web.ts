import { existsSync, readFileSync } from "node:fs"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { join } from "node:path"
import sirv from "sirv"
import type { Probes } from "./probes.ts"
import { securityHeaders } from "./security-headers.ts"
import { StartError } from "./start-error.ts"

/** `/c/<id>` and `/bench` are pages of the app; which one, it reads from its own address. */
const PAGE_PATH = /^\/(?:c\/[0-9A-Za-z_-]{1,128}\/?|bench)$/u

type Next = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Answers the probes, and the built app's files if there is one. Hashed files are cached for good, the page is
 * revalidated every time, so that a new version is seen at once and never mixed with the former.
 * @param webDir the built app; undefined serves none
 * @throws StartError when `webDir` holds no built app
 */
export function webListener(webDir: string | undefined, probes: Probes): RequestListener {
  const page = webDir === undefined ? undefined : pageOf(webDir)
  const serveApp = webDir === undefined ? notFound : appFiles(webDir)
  const headers = Object.entries(securityHeaders(page))
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD")
      return answer(response, 405, "This address answers GET and HEAD only.\n")
    }
    const path = pathOf(request)
    const probe = Object.hasOwn(probes, path) ? probes[path] : undefined
    return probe === undefined ? serveApp(request, response) : void answerProbe(request, response, probe)
  }
}

function pageOf(webDir: string): string {
  const path = join(webDir, "index.html")
  if (existsSync(path)) return readFileSync(path, "utf8")
  throw new StartError(`The web app is not built: ${path} is missing. Run "npm run build:web".`)
}

function appFiles(webDir: string): Next {
  // sirv lists the files once, at the start: no request's path ever reaches the file system.
  const files = sirv(webDir, {
    etag: true,
    setHeaders: (response, path) => {
      const hashed = path.startsWith("/assets/")
      response.setHeader("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache")
    },
  })
  return (request, response) => {
    if (PAGE_PATH.test(pathOf(request))) request.url = "/"
    files(request, response, () => notFound(request, response))
  }
}

async function answerProbe(request: IncomingMessage, response: ServerResponse, probe: Probes[string]): Promise<void> {
  const { status, text, contentType } = await probe(request)
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer")
  answer(response, status, text, contentType)
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  answer(response, 404, "There is nothing here.\n")
}

function answer(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text)
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/"
}
