import { createHash } from "node:crypto"
import { get as getPlain } from "node:http"
import { get as getSecure } from "node:https"
import { PassThrough } from "node:stream"
import { pipeline } from "node:stream/promises"
import zlib from "node:zlib"

/** The list of files that a build carries. It cannot name its own hash, so it is compared as a whole. */
const LIST = "/integrity.json"
/**
 * The list of compressed forms, which the server reads and no page loads. Its bytes can depend on the machine that compressed
 * them. Each form is compared by what it decodes to.
 */
const IGNORED = "/precompressed.json"
const PAGE = "/index.html"
/** Pages of no existing conferences. */
const CONFERENCES = ["0".repeat(32), "f0".repeat(16), `${"f0".repeat(16)}/`].map((id) => `/c/${id}`)
/** All show the page. The first ones are `PAGES` of the server. */
const PAGE_ADDRESSES = ["/", "/bench", "/verify", ...CONFERENCES]
/** As browsers ask, and for the file as it is: a server keeps several compressed forms of each file. */
const ENCODINGS = ["identity", "gzip", "br, gzip", "zstd", "gzip, deflate, br, zstd"]
/** By content coding. Undefined where this Node.js does not decode it. */
const DECODERS = {
  br: zlib.createBrotliDecompress,
  deflate: zlib.createInflate,
  gzip: zlib.createGunzip,
  identity: () => new PassThrough(),
  zstd: zlib.createZstdDecompress,
}
/** Headers by which an answer could load more than its content says. */
const LOADING_HEADERS = ["link", "refresh", "service-worker-allowed"]
const TIMEOUT_MS = 30_000
/** Far above any file of the app. A server must not fill the memory. */
const FILE_BYTES_MAX = 64 * 1024 * 1024
const AT_ONCE = 8
/** Unknown files that are named, and characters of each name. */
const UNKNOWN_MAX = 20
const PATH_CHARACTERS_MAX = 200

/** An answer that is no file of the release. */
class Difference extends Error {}
/** Matches the codes of zlib, Brotli and zstd for content that they cannot decode. */
const CONTENT_ERRORS = /^(?:Z_|ERR__ERROR_|ERR_BROTLI|ZSTD_)/u

/**
 * Compares what a server serves with the hashes of a release.
 *
 * @param {URL} site the app's address
 * @param {Readonly<Record<string, string>>} release by path: `sha384-` and the hash in base64
 * @returns {Promise<{ readonly count: number, readonly differing: string[], readonly unloaded: string[] }>} the number of
 *   compared files, each difference, and each file of which no whole answer came, so that nothing is known about it
 */
export async function differences(site, release) {
  const compared = Object.entries(release).filter(([path]) => path !== IGNORED)
  const requests = compared.flatMap(([path, hash]) => ENCODINGS.map((encoding) => ({ path, hash, encoding })))
  for (const path of PAGE_ADDRESSES) {
    for (const encoding of ENCODINGS) requests.push({ path, hash: release[PAGE] ?? "", encoding })
  }
  /** @type {Finding[]} */
  const found = []
  const next = requests[Symbol.iterator]()
  const work = async () => {
    for (const { path, hash, encoding } of next)
      found.push(...(await differencesOf(new URL(path, site), hash, encoding)))
  }
  await Promise.all([
    ...Array.from({ length: AT_ONCE }, work),
    compareList(site, release).then((all) => found.push(...all)),
  ])
  /** @param {boolean} unloaded */
  const textsOf = (unloaded) =>
    [...new Set(found.filter((each) => each.unloaded === unloaded).map(({ text }) => text))].toSorted()
  return { count: compared.length, differing: textsOf(false), unloaded: textsOf(true) }
}

/** @typedef {{ readonly text: string, readonly unloaded: boolean }} Finding */

/** @param {string} text @returns {Finding} */
const difference = (text) => ({ text, unloaded: false })

/** @param {URL} url @param {string} hash @param {string} encoding @returns {Promise<Finding[]>} */
async function differencesOf(url, hash, encoding) {
  const answer = await load(url, encoding)
  if ("text" in answer) return [answer]
  const headers = LOADING_HEADERS.filter((name) => Object.hasOwn(answer.headers, name))
  const found = headers.map((name) => difference(`${url.pathname}: the header ${name} is no part of the release`))
  const digest = createHash("sha384").update(answer.body).digest("base64")
  if (`sha384-${digest}` !== hash) found.push(difference(`${url.pathname}: differs from the release (${encoding})`))
  return found
}

/** @param {URL} site @param {Readonly<Record<string, string>>} release @returns {Promise<Finding[]>} */
async function compareList(site, release) {
  const answer = await load(new URL(LIST, site), "identity")
  if ("text" in answer) return [answer]
  try {
    const listed = Object.keys(JSON.parse(answer.body.toString()))
    const unknown = listed.filter((path) => path !== IGNORED && !Object.hasOwn(release, path))
    const found = unknown.slice(0, UNKNOWN_MAX).map((path) => difference(`${printable(path)}: is not in the release`))
    if (unknown.length > UNKNOWN_MAX)
      found.push(difference(`${LIST}: lists ${unknown.length} files that are not in the release`))
    return found
  } catch {
    return [difference(`${LIST}: is no list`)]
  }
}

/**
 * The server chooses the path. Control characters could clear the terminal and write another result there.
 *
 * @param {string} path @returns {string}
 */
function printable(path) {
  return path.slice(0, PATH_CHARACTERS_MAX).replaceAll(/[^ -~]/gu, "?")
}

/**
 * Follows no redirection. `fetch` decodes zstd in some versions of Node.js only, and does not tell.
 *
 * @param {URL} url @param {string} encoding
 * @returns {Promise<Finding | { body: Buffer, headers: import("node:http").IncomingHttpHeaders }>}
 */
async function load(url, encoding) {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await request(url, { "accept-encoding": encoding, accept: "text/html,*/*" }, signal)
    const { statusCode, headers } = answer
    const coding = headers["content-encoding"] ?? "identity"
    if (statusCode === 200 && Object.hasOwn(DECODERS, coding)) {
      return { body: await decoded(answer, coding, signal), headers }
    }
    answer.destroy()
    const problem = statusCode === 200 ? `is encoded as ${printable(coding)}` : `the server answers ${statusCode}`
    return difference(`${url.pathname}: ${problem}`)
  } catch (error) {
    if (error instanceof Difference) return difference(`${url.pathname}: ${error.message}`)
    if (CONTENT_ERRORS.test(error?.code)) return difference(`${url.pathname}: cannot be decoded: ${error.message}`)
    return {
      text: `${url.pathname}: cannot be loaded: ${error instanceof Error ? error.message : error}`,
      unloaded: true,
    }
  }
}

/**
 * @param {URL} url @param {import("node:http").OutgoingHttpHeaders} headers @param {AbortSignal} signal
 * @returns {Promise<import("node:http").IncomingMessage>}
 */
function request(url, headers, signal) {
  const get = url.protocol === "https:" ? getSecure : getPlain
  return new Promise((resolve, reject) => get(url, { headers, signal }, resolve).on("error", reject))
}

/**
 * @param {import("node:http").IncomingMessage} answer @param {string} coding @param {AbortSignal} signal
 * @returns {Promise<Buffer>}
 */
async function decoded(answer, coding, signal) {
  const decoder = DECODERS[coding]?.()
  if (decoder === undefined) {
    answer.destroy()
    throw new Error(`This Node.js does not decode ${coding}. Take 22.15 or later.`)
  }
  let length = 0
  /** @param {AsyncIterable<Buffer>} source */
  const counted = async function* (source) {
    for await (const part of source) {
      length += part.length
      yield part
    }
  }
  const body = await pipeline(answer, counted, decoder, gathered, { signal })
  // This decoder stops at the end of the first zstd frame. A browser also decodes the next one.
  if ("bytesWritten" in decoder && decoder.bytesWritten !== length) throw new Difference("has bytes behind its end")
  return body
}

/** @param {AsyncIterable<Buffer>} body @returns {Promise<Buffer>} */
async function gathered(body) {
  const parts = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > FILE_BYTES_MAX) throw new Difference(`is larger than ${FILE_BYTES_MAX} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
