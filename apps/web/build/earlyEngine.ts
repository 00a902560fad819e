import { createHash } from "node:crypto"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

const ENGINE = /^engine-[\w-]+\.js$/u

/**
 * Writes a module that has the browser load the engine while the page's own files are still on their way. Without it
 * the line is idle from their arrival until they have run, and a newcomer waits for the engine after that. Only the
 * addresses of conferences need it. A service worker has the files already.
 * @returns its path
 * @throws Error when the build has not exactly one engine
 */
export async function writeEarlyEngine(directory: string): Promise<string> {
  const assets = join(directory, "assets")
  const [engine, ...others] = (await readdir(assets)).filter((name) => ENGINE.test(name))
  if (engine === undefined || others.length > 0) throw new Error("The build has not exactly one engine.")
  const needed = importsOf(await readFile(join(assets, engine), "utf8"))
  const code = earlyCode([engine, ...needed].map((name) => `/assets/${name}`))
  const name = `early-${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`
  await writeFile(join(assets, name), code)
  return `/assets/${name}`
}

/** Files beside it that a built module loads at once. */
function importsOf(code: string): string[] {
  return [...code.matchAll(/\bfrom\s?"\.\/([\w-]+\.js)"/gu)].map(([, name]) => name!)
}

/** The priority is low, so that the page's own files come first. A failure is reported when the engine is needed. */
function earlyCode(paths: readonly string[]): string {
  return `if (location.pathname.startsWith("/c/") && !navigator.serviceWorker?.controller)
  for (const path of ${JSON.stringify(paths)}) fetch(path, { priority: "low" }).catch(() => undefined)
`
}

/** @throws Error when the page has no module */
export function withEarlyEngine(html: string, path: string): string {
  const page = html.replace(
    /<script type="module"/u,
    `<script type="module" crossorigin src="${path}"></script>\n    $&`,
  )
  if (page === html) throw new Error("The page has no module.")
  return page
}
