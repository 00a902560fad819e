import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from "node:zlib"
import { expect, test } from "vitest"
import { startServer } from "../../src/server.ts"
import { serve } from "../clients.ts"
import { freshDirectory } from "../files.ts"

const PAGE = `<!doctype html><title>Keymoot</title>${"<p>hello</p>".repeat(200)}`
const SCRIPT = "export const words = ['hello'];\n".repeat(500)
const FILES: Readonly<Record<string, string>> = {
  "/index.html": PAGE,
  "/assets/main-1a2b3c4d.js": SCRIPT,
  "/icon.svg": "<svg/>",
}
const ENCODINGS = {
  br: { ending: ".br", encode: brotliCompressSync, decode: brotliDecompressSync },
  gzip: { ending: ".gz", encode: gzipSync, decode: gunzipSync },
  zstd: { ending: ".zst", encode: zstdCompressSync, decode: zstdDecompressSync },
} as const
type Encoding = keyof typeof ENCODINGS

const hashOf = (body: string | Buffer) => `sha384-${createHash("sha384").update(body).digest("base64")}`

/** A build whose script and page have compressed forms, the smallest first, as the build lists them. */
function build(): string {
  const webDir = join(freshDirectory(), "dist")
  mkdirSync(join(webDir, "assets"), { recursive: true })
  const hashes: Record<string, string> = {}
  const lists: Record<string, object> = {}
  const write = (path: string, body: string | Buffer) => writeFileSync(join(webDir, path), body)
  for (const [path, text] of Object.entries(FILES)) {
    write(path, text)
    hashes[path] = hashOf(text)
    if (path === "/icon.svg") continue
    const forms = Object.entries(ENCODINGS).map(([encoding, { ending, encode }]) => {
      const body = encode(Buffer.from(text))
      write(path + ending, body)
      return { encoding, path: path + ending, hash: hashOf(body), bytes: body.length }
    })
    lists[path] = { of: hashOf(text), forms: forms.toSorted((one, other) => one.bytes - other.bytes) }
  }
  const list = JSON.stringify(lists)
  write("/precompressed.json", list)
  write("/integrity.json", JSON.stringify({ ...hashes, "/precompressed.json": hashOf(list) }))
  return webDir
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** `fetch` would decode the answer. */
async function ask(url: string, path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const asked = request(`${url}${path}`, { headers, method }).end()
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }
}

const decoded = ({ headers, body }: Answer): string => {
  const encoding = headers["content-encoding"] as Encoding | undefined
  return (encoding === undefined ? body : ENCODINGS[encoding].decode(body)).toString()
}

test("sends each file in the encoding asked for, and it decodes to the file", async () => {
  const { url } = await serve({ webDir: build() })
  for (const [path, text] of Object.entries(FILES)) {
    const whole = await ask(url, path)
    expect([path, whole.status, whole.headers["content-encoding"], whole.body.toString()]).toEqual([
      path,
      200,
      undefined,
      text,
    ])
    for (const encoding of Object.keys(ENCODINGS)) {
      const answer = await ask(url, path, { "Accept-Encoding": encoding })
      expect(answer.headers["content-encoding"]).toBe(path === "/icon.svg" ? undefined : encoding)
      expect(answer.headers["content-length"]).toBe(String(answer.body.length))
      expect(answer.headers["content-type"]).toBe(whole.headers["content-type"])
      expect(answer.headers["cache-control"]).toBe(whole.headers["cache-control"])
      expect(answer.headers["content-security-policy"]).toBe(whole.headers["content-security-policy"])
      expect(decoded(answer)).toBe(text)
    }
  }
})

test("sends the smallest form when the client accepts several, never a refused one", async () => {
  const { url } = await serve({ webDir: build() })
  const sizes = await Promise.all(
    Object.keys(ENCODINGS).map(async (encoding) => {
      const { body } = await ask(url, "/assets/main-1a2b3c4d.js", { "Accept-Encoding": encoding })
      return { encoding, bytes: body.length }
    }),
  )
  const smallest = sizes.toSorted((one, other) => one.bytes - other.bytes)[0]?.encoding
  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", smallest],
    ["GZIP", "gzip"],
    ["*", smallest],
    ["gzip;q=0, br;q=0, *", "zstd"],
    ["br;q=0, zstd;q=0.0, gzip;q=0.001", "gzip"],
    ["deflate, identity", undefined],
    ["", undefined],
    ["brotli", undefined],
    ["*;q=0", undefined],
    [`${"x,".repeat(2_000)}gzip`, "gzip"],
  ] as const) {
    const answer = await ask(url, "/assets/main-1a2b3c4d.js", { "Accept-Encoding": accepted })
    expect([accepted, answer.status, answer.headers["content-encoding"]]).toEqual([accepted, 200, encoding])
    expect(decoded(answer)).toBe(SCRIPT)
  }
})

test("keeps caches apart: each form has its own tag, and all vary by Accept-Encoding", async () => {
  const { url } = await serve({ webDir: build() })
  const forms = ["identity", ...Object.keys(ENCODINGS)]
  const tags = new Map<string, string>()
  for (const form of forms) {
    const { headers } = await ask(url, "/", { "Accept-Encoding": form })
    expect(headers.vary).toBe("Accept-Encoding")
    tags.set(form, headers.etag ?? "")
  }
  expect(new Set(tags.values()).size).toBe(forms.length)
  for (const form of forms) {
    for (const [other, tag] of tags) {
      const answer = await ask(url, "/", { "Accept-Encoding": form, "If-None-Match": tag })
      expect([form, other, answer.status]).toEqual([form, other, form === other ? 304 : 200])
      expect(answer.headers).toMatchObject({
        vary: "Accept-Encoding",
        etag: tags.get(form),
        "cache-control": "no-cache",
      })
      if (form === other) expect(answer.headers).not.toHaveProperty("content-encoding")
    }
  }
  expect((await ask(url, "/icon.svg", { "Accept-Encoding": "br" })).headers).not.toHaveProperty("vary")
})

test("answers HEAD with the headers of GET, and a range with the whole form", async () => {
  const { url } = await serve({ webDir: build() })
  const headers = { "Accept-Encoding": "br" }
  const got = await ask(url, "/assets/main-1a2b3c4d.js", headers)
  const head = await ask(url, "/assets/main-1a2b3c4d.js", headers, "HEAD")
  for (const name of ["content-encoding", "content-length", "etag", "vary"]) {
    expect(head.headers[name]).toBe(got.headers[name])
  }
  expect(head.body).toHaveLength(0)
  const ranged = await ask(url, "/assets/main-1a2b3c4d.js", { ...headers, Range: "bytes=1-3" })
  expect([ranged.status, ranged.headers["content-range"], decoded(ranged)]).toEqual([200, undefined, SCRIPT])
})

test("gives compressed forms no address of their own", async () => {
  const { url } = await serve({ webDir: build() })
  for (const path of ["/index.html.br", "/assets/main-1a2b3c4d.js.gz", "/assets/main-1a2b3c4d.js..br", "/.br"]) {
    expect([path, (await ask(url, path, { "Accept-Encoding": "br" })).status]).toEqual([path, 404])
  }
})

test("serves a file as it is when its forms are of another version of it", async () => {
  const webDir = build()
  const page = PAGE.replace("Keymoot", "Changed")
  writeFileSync(join(webDir, "index.html"), page)
  const listPath = join(webDir, "integrity.json")
  const hashes = JSON.parse(readFileSync(listPath, "utf8")) as object
  writeFileSync(listPath, JSON.stringify({ ...hashes, "/index.html": hashOf(page) }))
  const { url } = await serve({ webDir })
  const answer = await ask(url, "/", { "Accept-Encoding": "br, gzip, zstd" })
  expect([answer.headers["content-encoding"], answer.body.toString()]).toEqual([undefined, page])
})

test("refuses to start with a form that is not the one that was built", async () => {
  const webDir = build()
  writeFileSync(join(webDir, "index.html.br"), brotliCompressSync("<script>evil()</script>"))
  await expect(startServer({ webDir })).rejects.toThrow(/index\.html\.br is not the file that was built/u)
})
