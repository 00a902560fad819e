import { createHash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { extname, join } from "node:path"

/**
 * The hash of every other file. A build writes it last: while it is missing or does not match, the build is incomplete.
 */
const LIST_PATH = "/integrity.json"
/**
 * Written before `LIST_PATH` and listed in it: the compressed forms of the files, which have no address of their own.
 */
const FORMS_PATH = "/precompressed.json"
export const PAGE_PATH = "/index.html"

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html;charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain;charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
}

/** The body of an answer: the content of a file, plain or compressed. */
export interface Representation {
  readonly body: Buffer
  /** The hash of these bytes, as in `integrity.json`: `sha384-` and Base64. */
  readonly hash: string
}

export interface CompressedForm extends Representation {
  /** The HTTP content coding: `br`, `gzip` or `zstd`. */
  readonly encoding: string
}

export interface AppFile extends Representation {
  readonly contentType: string
  /** Smallest first. */
  readonly forms: readonly CompressedForm[]
}

/** One complete build of the app: file by request path. */
export type BuiltApp = ReadonlyMap<string, AppFile>

/** The directory holds no complete build: none at all, or one that is being written or was modified afterwards. */
export class NotWholeError extends Error {
  override readonly name = "NotWholeError"
}

/** Changes when another build is complete; undefined while there is none. */
export async function stampOf(webDir: string): Promise<string | undefined> {
  // The change time (ctime) cannot be set, unlike the modification time, which a copy may preserve.
  const list = await stat(join(webDir, LIST_PATH), { bigint: true }).catch(() => undefined)
  return list && `${list.ino} ${list.size} ${list.ctimeNs}`
}

/**
 * Reads a build into memory, reusing files that are equal in the former build.
 * @throws NotWholeError when a file is missing or does not match its hash
 */
export async function readBuiltApp(webDir: string, former: BuiltApp = new Map()): Promise<BuiltApp> {
  const list = await readOrRefuse(webDir, LIST_PATH)
  const app = new Map<string, AppFile>([[LIST_PATH, fileOf(LIST_PATH, list)]])
  const hashes = parse(LIST_PATH, list) as Readonly<Record<string, string>>
  const formsHash = hashes[FORMS_PATH]
  const formsList = formsHash === undefined ? undefined : await readListed(webDir, FORMS_PATH, formsHash)
  const forms = (formsList === undefined ? {} : parse(FORMS_PATH, formsList)) as Readonly<Record<string, ListedForms>>
  for (const [path, hash] of Object.entries(hashes)) {
    // An old list, left by an earlier build in the same directory, may be listed.
    if (path === LIST_PATH) continue
    const same = former.get(path)
    app.set(path, same?.hash === hash ? same : await readFileOf(webDir, path, hash, forms[path]))
  }
  if (!app.has(PAGE_PATH)) throw new NotWholeError(`${join(webDir, PAGE_PATH)} is missing`)
  return app
}

/** An entry of `precompressed.json`. */
interface ListedForms {
  /** The hash of the file that they decode to. */
  readonly of: string
  readonly forms: readonly { readonly encoding: string; readonly path: string; readonly hash: string }[]
}

async function readFileOf(webDir: string, path: string, hash: string, listed?: ListedForms): Promise<AppFile> {
  const file = fileOf(path, await readListed(webDir, path, hash))
  // Forms of another version of the file would be different content under its name.
  if (listed?.of !== hash) return file
  const read = async (form: ListedForms["forms"][number]): Promise<CompressedForm> => {
    const { encoding } = form
    return { encoding, hash: form.hash, body: await readListed(webDir, form.path, form.hash) }
  }
  return { ...file, forms: await Promise.all(listed.forms.map(read)) }
}

function parse(path: string, list: Buffer): unknown {
  try {
    return JSON.parse(list.toString())
  } catch {
    throw new NotWholeError(`${path} is not written to its end`)
  }
}

async function readListed(webDir: string, path: string, hash: string): Promise<Buffer> {
  const body = await readOrRefuse(webDir, path)
  if (hashOf(body) !== hash) throw new NotWholeError(`${join(webDir, path)} is not the file that was built`)
  return body
}

async function readOrRefuse(webDir: string, path: string): Promise<Buffer> {
  try {
    return await readFile(join(webDir, path))
  } catch {
    throw new NotWholeError(`${join(webDir, path)} is missing`)
  }
}

function fileOf(path: string, body: Buffer): AppFile {
  const contentType = CONTENT_TYPES[extname(path)] ?? "application/octet-stream"
  return { body, hash: hashOf(body), contentType, forms: [] }
}

function hashOf(body: Buffer): string {
  return `sha384-${createHash("sha384").update(body).digest("base64")}`
}
