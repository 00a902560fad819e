import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { type AppFile, PAGE_PATH } from "./built-app.ts"
import type { Probes } from "./probes.ts"
import { securityHeaders } from "./security-headers.ts"
import { isImmutable, type ServedApp } from "./served-app.ts"

/** The page's own addresses: `/c/<id>` and `/bench` are pages of the app, which reads from its address which one. */
const PAGES = /^\/(?:c\/[0-9A-Za-z_-]{1,128}\/?|bench)?$/u

/**
 * Answers the probes, and the built app's files if there is one. Hashed files are cached for good, the page is
 * revalidated every time, so that a new version is seen at once and never mixed with the former.
 * @param app undefined serves none
 */
export function webListener(app: ServedApp | undefined, probes: Probes): RequestListener {
  const noApp = securityHeaders(undefined)
  const protect = (response: ServerResponse) => {
    for (const [name, value] of Object.entries(app?.headers ?? noApp)) response.setHeader(name, value)
  }
  return async (request, response) => {
    protect(response)
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD")
      return answer(response, 405, "This address answers GET and HEAD only.\n")
    }
    const path = pathOf(request)
    const probe = Object.hasOwn(probes, path) ? probes[path] : undefined
    if (probe !== undefined) return answerProbe(request, response, probe)
    const filePath = PAGES.test(path) ? PAGE_PATH : path
    const file = await app?.find(filePath)
    if (file === undefined) return answer(response, 404, "There is nothing here.\n")
    // Anew: another build may have come meanwhile, whose page the former policy would break.
    protect(response)
    answerFile(request, response, file, isImmutable(filePath))
  }
}

function answerFile(request: IncomingMessage, response: ServerResponse, file: AppFile, immutable: boolean): void {
  const { body, hash, contentType } = file
  response.setHeader("Cache-Control", immutable ? "public, max-age=31536000, immutable" : "no-cache")
  response.setHeader("ETag", `"${hash}"`)
  // A proxy that compresses makes the tag a weak one, `W/"…"`.
  if (request.headers["if-none-match"]?.includes(`"${hash}"`)) return void response.writeHead(304).end()
  response.writeHead(200, { "Content-Type": contentType, "Content-Length": body.length })
  response.end(request.method === "HEAD" ? undefined : body)
}

async function answerProbe(request: IncomingMessage, response: ServerResponse, probe: Probes[string]): Promise<void> {
  const { status, text, contentType } = await probe(request)
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer")
  answer(response, status, text, contentType)
}

function answer(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text)
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/"
}
