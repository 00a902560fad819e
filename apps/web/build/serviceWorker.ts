import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { transformWithOxc } from "vite"

type Hashes = Readonly<Record<string, string>>

const SOURCE = fileURLToPath(new URL("../service-worker/service-worker.ts", import.meta.url))
/** Twelve megabytes for Chinese handwriting, and the whiteboard in languages that the page does not offer. */
const LARGE = /\/Xiaolai\//
const OTHER_LANGUAGE = /^\/assets\/(?!(?:de-DE|es-ES|fr-FR|ja-JP)-)[a-z]{2,3}-[A-Z]{2}-/
/** Loaded when a person inserts a PDF, or saves one. */
const PDF = /^\/assets\/(?:renderer|pdfWorker|pdfFile)-/
const BENCHMARK = /^\/assets\/benchmark-/
const NEEDED = /^\/(?:index\.html|icon\.svg|assets\/.*\.(?:js|css|woff2))$/

/**
 * The version of a build: a hash over all files except the page, which contains the version, and the worker, which
 * knows it.
 */
export function versionOf(hashes: Hashes): string {
  const named = Object.entries(hashes).filter(([path]) => path !== "/index.html")
  return createHash("sha256").update(JSON.stringify(named)).digest("hex").slice(0, 16)
}

/** The page with the version of its build, which it compares with that of a newer one. */
export function withVersion(html: string, version: string): string {
  return html.replace("</title>", `</title>\n    <meta name="keymoot-build" content="${version}" />`)
}

/** @param hashes of all files but the worker itself, with the page as it will be served */
export async function serviceWorker(hashes: Hashes, version: string): Promise<string> {
  const shell: Record<string, string> = {}
  const rest: Record<string, string> = {}
  for (const [path, hash] of Object.entries(hashes)) {
    const needed =
      NEEDED.test(path) && !LARGE.test(path) && !BENCHMARK.test(path) && !PDF.test(path) && !OTHER_LANGUAGE.test(path)
    if (needed) shell[path === "/index.html" ? "/" : path] = hash
    else if (path.startsWith("/assets/")) rest[path] = hash
  }
  const { code } = await transformWithOxc(await readFile(SOURCE, "utf8"), SOURCE, {
    target: "es2023",
    sourcemap: false,
  })
  return `const BUILD = ${JSON.stringify({ version, shell, rest })}\n${code}`
}
