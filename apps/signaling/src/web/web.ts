import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { OTHER_VERSION_STATUS, SIGNALING_ROOT } from "@keymoot/transport/signaling-protocol"
import Negotiator from "negotiator"
import { type AppFile, type CompressedForm, PAGE_PATH } from "./built-app.ts"
import type { Probes } from "./probes.ts"
import { securityHeaders, STRICT_TRANSPORT_SECURITY } from "./security-headers.ts"
import { isImmutable, type ServedApp } from "./served-app.ts"

/**
 * Addresses of the page besides conferences. The page reads the path itself. `@keymoot/verify-site` requests each of
 * them, because a server could answer one of them with another page.
 */
export const PAGES: ReadonlySet<string> = new Set(["/", "/bench", "/verify"])
const CONFERENCE_PAGE = /^\/c\/[0-9A-Za-z_-]{1,128}\/?$/u

/**
 * Answers the probes, and serves the built app's files. Hashed files are cached permanently. The page is revalidated
 * every time, so that a new version appears at once and never mixes with the former. Files are sent in the smallest
 * form that the browser accepts. Ranges are not offered: a request for one gets the whole file (RFC 9110, 14.2).
 * @param app undefined serves none
 * @param publicOrigins for those with https, browsers are instructed to use TLS only (RFC 6797)
 */
export function webListener(
  app: ServedApp | undefined,
  probes: Probes,
  publicOrigins: readonly string[],
): RequestListener {
  const noApp = securityHeaders(undefined)
  const secureHosts = new Set(publicOrigins.filter((origin) => origin.startsWith("https:")).map(hostNameOf))
  const protect = (request: IncomingMessage, response: ServerResponse) => {
    if (secureHosts.has(hostNameOf(`https://${request.headers.host}`))) {
      response.setHeader("Strict-Transport-Security", STRICT_TRANSPORT_SECURITY)
    }
    for (const [name, value] of Object.entries(app?.headers ?? noApp)) response.setHeader(name, value)
  }
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    protect(request, response)
    const path = pathOf(request)
    if (path.startsWith(SIGNALING_ROOT)) return answerOtherVersion(response)
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD")
      return answer(response, 405, "This address answers GET and HEAD only.\n")
    }
    const probe = Object.hasOwn(probes, path) ? probes[path] : undefined
    if (probe !== undefined) return answerProbe(request, response, probe)
    const filePath = PAGES.has(path) || CONFERENCE_PAGE.test(path) ? PAGE_PATH : path
    const file = await app?.find(filePath)
    const page = file === undefined && wantsPage(request) ? await app?.find(PAGE_PATH) : undefined
    const found = file ?? page
    if (found === undefined) return answer(response, 404, "Not found.\n")
    // Again: a new build may have replaced the former one meanwhile, and the former policy would break its page.
    protect(request, response)
    if (page !== undefined) response.statusCode = 404
    answerFile(request, response, found, isImmutable(filePath))
  }
  // A failing probe or an answer to a closed connection ends this request only, and never the process.
  return (request, response) => void respond(request, response).catch(() => response.destroy())
}

/** Pages of every origin may read this: it tells a client of another version why it is not served. */
function answerOtherVersion(response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Origin", "*")
  answer(response, OTHER_VERSION_STATUS, "This server speaks another version of the signalling protocol.\n")
}

/** Whether a person opened this address. The app's page then says that nothing is there, and leads home. */
function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("text/html") === true
}

/** With the status that `response` has. */
function answerFile(request: IncomingMessage, response: ServerResponse, file: AppFile, immutable: boolean): void {
  const form = acceptedForm(request, file)
  const { body, hash } = form ?? file
  response.setHeader("Cache-Control", immutable ? "public, max-age=31536000, immutable" : "no-cache")
  // Each form has its own tag: a cache must not validate one form by another's tag (RFC 9110, section 8.8.3.3).
  response.setHeader("ETag", `"${hash}"`)
  if (file.forms.length > 0) response.setHeader("Vary", "Accept-Encoding")
  // A proxy that compresses makes the tag weak: `W/"…"`.
  const isUnchanged = request.headers["if-none-match"]?.includes(`"${hash}"`) === true
  if (isUnchanged && response.statusCode === 200) return void response.writeHead(304).end()
  if (form !== undefined) response.setHeader("Content-Encoding", form.encoding)
  response.writeHead(response.statusCode, { "Content-Type": file.contentType, "Content-Length": body.length })
  response.end(request.method === "HEAD" ? undefined : body)
}

/** The smallest form that the client accepts; undefined if it wants the file uncompressed, or says nothing. */
function acceptedForm(request: IncomingMessage, { forms }: AppFile): CompressedForm | undefined {
  if (forms.length === 0) return undefined
  const accepted = new Negotiator(request).encodings(forms.map(({ encoding }) => encoding))
  return forms.find(({ encoding }) => accepted.includes(encoding))
}

async function answerProbe(request: IncomingMessage, response: ServerResponse, probe: Probes[string]): Promise<void> {
  const { status, text, contentType } = await probe(request)
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer")
  answer(response, status, text, contentType)
}

function answer(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text)
}

/** Without the port, which a reverse proxy may omit. */
function hostNameOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0] ?? "/"
}
