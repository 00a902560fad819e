import { createHash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { extname, join } from "node:path"

/** What a build writes last: the hash of every other file. While it is missing, or fits no more, the build is not whole. */
const LIST_PATH = "/integrity.json"
export const PAGE_PATH = "/index.html"

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html;charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
}

export interface AppFile {
  readonly body: Buffer
  /** As `integrity.json` has it: `sha384-` and Base64. */
  readonly hash: string
  readonly contentType: string
}

/** One build of the app, all of it: path, as a browser asks for it, to file. */
export type BuiltApp = ReadonlyMap<string, AppFile>

/** What lies there is no whole build: none, or one that is being written or was changed afterwards. */
export class NotWholeError extends Error {
  override readonly name = "NotWholeError"
}

/** Changes when another build has been finished; undefined while there is none. */
export async function stampOf(webDir: string): Promise<string | undefined> {
  // The time of change cannot be set, unlike that of writing, which a copy may have kept from elsewhere.
  const list = await stat(join(webDir, LIST_PATH), { bigint: true }).catch(() => undefined)
  return list && `${list.ino} ${list.size} ${list.ctimeNs}`
}

/**
 * Reads a build into memory; what it has in common with the former one is there already.
 * @throws NotWholeError when a file is missing or is not the one that was built
 */
export async function readBuiltApp(webDir: string, former: BuiltApp = new Map()): Promise<BuiltApp> {
  const list = await readOrRefuse(webDir, LIST_PATH)
  const app = new Map([[LIST_PATH, fileOf(LIST_PATH, list)]])
  for (const [path, hash] of hashesIn(list)) {
    const same = former.get(path)
    const file = same?.hash === hash ? same : fileOf(path, await readOrRefuse(webDir, path))
    if (file.hash !== hash) throw new NotWholeError(`${join(webDir, path)} is not the file that was built`)
    app.set(path, file)
  }
  if (!app.has(PAGE_PATH)) throw new NotWholeError(`${join(webDir, PAGE_PATH)} is missing`)
  return app
}

function hashesIn(list: Buffer): [path: string, hash: string][] {
  try {
    const hashes = Object.entries(JSON.parse(list.toString()) as Readonly<Record<string, string>>)
    // One that was left by an earlier build in the same place may be in the list, as it was then.
    return hashes.filter(([path]) => path !== LIST_PATH)
  } catch {
    throw new NotWholeError(`${LIST_PATH} is not written to its end`)
  }
}

async function readOrRefuse(webDir: string, path: string): Promise<Buffer> {
  try {
    return await readFile(join(webDir, path))
  } catch {
    throw new NotWholeError(`${join(webDir, path)} is missing`)
  }
}

function fileOf(path: string, body: Buffer): AppFile {
  const hash = `sha384-${createHash("sha384").update(body).digest("base64")}`
  return { body, hash, contentType: CONTENT_TYPES[extname(path)] ?? "application/octet-stream" }
}
