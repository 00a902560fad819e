import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib"

type Hashes = Readonly<Record<string, string>>

interface Form {
  /** The HTTP content coding (RFC 9110, section 8.4.1). */
  readonly encoding: "br" | "gzip" | "zstd"
  readonly path: string
  readonly hash: string
  readonly bytes: number
}

/** The compressed forms of one file, smallest first. */
interface Forms {
  /** The hash of the file itself: forms of another version of it are invalid. */
  readonly of: string
  readonly forms: readonly Form[]
}

/** Lists the compressed forms; the server serves no form that is not in it. */
export const FORMS_PATH = "/precompressed.json"

/** Whether {@link precompress} writes this path, and no build does. */
export function isPrecompressed(path: string): boolean {
  return path === FORMS_PATH || COMPRESSORS.some(([, ending]) => path.endsWith(ending))
}

/** Fonts and PNG are compressed already. */
const COMPRESSIBLE = /\.(?:css|html|js|json|svg|wasm|webmanifest)$/u
/** A smaller file fits into one packet anyway. */
const BYTES_MIN = 1024

/**
 * Levels that take three seconds of processor time for the whole app. Brotli's highest level takes twelve and saves
 * another 6 %. Browsers that support zstd also support Brotli, which is smaller, so zstd's level matters little.
 */
const COMPRESSORS = [
  ["br", ".br", (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })],
  ["gzip", ".gz", (body) => promisify(gzip)(body, { level: 9 })],
  ["zstd", ".zst", (body) => promisify(zstdCompress)(body, { params: { [constants.ZSTD_c_compressionLevel]: 9 } })],
] as const satisfies [Form["encoding"], string, (body: Buffer) => Promise<Buffer>][]

/**
 * Writes the compressed forms of a build's files beside them, and the list of these forms. A form that is not smaller
 * than its file is left out.
 * @param hashes hash by request path; these files are in `dir`
 */
export async function precompress(dir: string, hashes: Hashes): Promise<void> {
  const lists: Record<string, Forms> = {}
  const paths = Object.keys(hashes).filter((path) => COMPRESSIBLE.test(path))
  // Shared: each worker takes the next file. More workers would only need more memory.
  const queue = paths.values()
  const worker = async () => {
    for (const path of queue) {
      const forms = await formsOf(dir, path)
      const of = hashes[path]
      if (of !== undefined && forms.length > 0) lists[path] = { of, forms }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  const inOrder = Object.fromEntries(paths.flatMap((path) => (lists[path] ? [[path, lists[path]]] : [])))
  await writeFile(join(dir, FORMS_PATH), `${JSON.stringify(inOrder, null, 2)}\n`)
}

async function formsOf(dir: string, path: string): Promise<Form[]> {
  const body = await readFile(join(dir, path))
  if (body.length < BYTES_MIN) return []
  const forms = await Promise.all(
    COMPRESSORS.map(async ([encoding, ending, compress]): Promise<Form[]> => {
      const compressed = await compress(body)
      if (compressed.length >= body.length) return []
      await writeFile(join(dir, path + ending), compressed)
      const hash = `sha384-${createHash("sha384").update(compressed).digest("base64")}`
      return [{ encoding, path: path + ending, hash, bytes: compressed.length }]
    }),
  )
  return forms.flat().toSorted((one, other) => one.bytes - other.bytes)
}
