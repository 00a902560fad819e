/** `@keymoot/verify-site` reports servers that serve something else than the release. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"

const ROOT = join(import.meta.dirname, "../..")
const PROGRAM = join(ROOT, "packages/verify-site/verify-site.js")
/** The server's own list. The program has no dependency and repeats it. */
const { PAGES } = (await import(join(ROOT, "apps/signaling/src/web/web.ts"))) as { PAGES: ReadonlySet<string> }
const FILES: Readonly<Record<string, string>> = {
  "/index.html": "<!doctype html><script type=module src=/assets/a.js></script>",
  "/assets/a.js": "console.log(1)",
  "/sw.js": "// none",
}
const integrityOf = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, `sha384-${createHash("sha384").update(text).digest("base64")}`]),
  )

const COMPRESSORS: Readonly<Record<string, (text: string) => Buffer>> = { zstd: zstdCompressSync, gzip: gzipSync }

/** In place of a status: the server ends the connection. */
const BROKEN = 0

/** `body`: sent in place of the text, as it is. */
type Answer = {
  readonly text: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}
type Lie = (path: string, request: IncomingMessage, honest: Answer) => Answer

const honest = (path: string): Answer => {
  if (path === "/integrity.json") return { text: JSON.stringify(integrityOf(FILES)) }
  const text = FILES[PAGES.has(path) || path.startsWith("/c/") ? "/index.html" : path]
  return text === undefined ? { text: "", status: 404 } : { text }
}

/** Output and exit code of the program, for a server that answers so. */
async function verify(lie: Lie, release: Readonly<Record<string, string>> = FILES, environment = process.env) {
  const server = createServer((request, response) => {
    const path = request.url!
    const { text, status = 200, headers, body } = lie(path, request, honest(path))
    if (status === BROKEN) return void request.socket.destroy()
    const accepted = String(request.headers["accept-encoding"]).split(", ")
    const coding = Object.keys(COMPRESSORS).find((each) => accepted.includes(each))
    response.writeHead(status, { ...(coding !== undefined && { "content-encoding": coding }), ...headers })
    response.end(body ?? (coding === undefined ? text : COMPRESSORS[coding]!(text)))
  }).listen(0)
  await once(server, "listening")
  const directory = mkdtempSync(join(tmpdir(), "keymoot-site-"))
  onTestFinished(() => {
    server.close()
    rmSync(directory, { recursive: true })
  })
  const manifest = join(directory, "release.json")
  writeFileSync(manifest, JSON.stringify(integrityOf(release)))
  return run(environment, `http://localhost:${(server.address() as AddressInfo).port}`, "--manifest", manifest)
}

async function run(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)))
  const [code] = (await once(child, "close")) as [number]
  return { code, output }
}

test("accepts a server that serves the release and nothing else", async () => {
  expect(await verify((_path, _request, answer) => answer)).toEqual({
    code: 0,
    output: expect.stringContaining("serves the 3 files of the release"),
  })
})

test("compares no list of compressed forms, which depends on the machine that built", async () => {
  const { code, output } = await verify((_path, _request, answer) => answer, { ...FILES, "/precompressed.json": "{}" })
  expect(output).toContain("serves the 3 files of the release")
  expect(code).toBe(0)
})

test.each<readonly [string, Lie]>([
  ["of a server that does not answer", () => ({ text: "", status: BROKEN })],
  ["of a file that it cannot load", (path, _, answer) => (path === "/sw.js" ? { text: "", status: BROKEN } : answer)],
])("cannot tell, and ends with 2, %s", async (_, lie) => {
  const { code, output } = await verify(lie)
  expect(output).toContain("/sw.js: cannot be loaded")
  expect(output).toContain("cannot be compared")
  expect(code).toBe(2)
})

test("cannot tell, and ends with 2, where this Node.js does not decode zstd", async () => {
  const script = "import zlib from 'node:zlib'; delete zlib.createZstdDecompress"
  const environment = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
  const { code, output } = await verify((_path, _request, answer) => answer, FILES, environment)
  expect(output).toContain("/sw.js: cannot be loaded: This Node.js does not decode zstd. Take 22.15 or later.")
  expect(output).toContain("cannot be compared")
  expect(code).toBe(2)
})

test("reports a difference even when it cannot load other files", async () => {
  const { code, output } = await verify((path, _, answer) => {
    if (path === "/sw.js") return { text: "", status: BROKEN }
    return path === "/assets/a.js" ? { text: "spy()" } : answer
  })
  expect(output).toContain("/assets/a.js: differs from the release")
  expect(code).toBe(1)
})

test.each([
  ["no address", []],
  ["an unknown option", ["https://meet.example", "--list", "x"]],
  ["a manifest that is not there", ["https://meet.example", "--manifest", "/nowhere/release.json"]],
])("ends with 2 for %s", async (_, args) => {
  const { code, output } = await run(process.env, ...args)
  expect(output.trim().split("\n")).toHaveLength(1)
  expect(code).toBe(2)
})

/** Sends these bytes as a file to all that accept the coding. */
const encoded =
  (coding: string, bytesOf: (text: string) => Buffer): Lie =>
  (path, { headers }, answer) =>
    path === "/sw.js" && String(headers["accept-encoding"]).includes(coding)
      ? { ...answer, body: bytesOf(answer.text), headers: { "content-encoding": coding } }
      : answer

const LIES: readonly [string, Lie, string][] = [
  [
    "changes one byte of a file",
    (path, _, answer) => (path === "/assets/a.js" ? { text: answer.text.replace("1", "2") } : answer),
    "/assets/a.js: differs from the release",
  ],
  [
    "changes one byte of its compressed form only",
    (path, { headers }, answer) =>
      path === "/sw.js" && String(headers["accept-encoding"]).includes("br") ? { text: "// nine" } : answer,
    "/sw.js: differs from the release (br, gzip)",
  ],
  [
    "changes one byte where zstd is accepted only",
    (path, { headers }, answer) =>
      path === "/sw.js" && String(headers["accept-encoding"]).includes("zstd") ? { text: "// nine" } : answer,
    "/sw.js: differs from the release (zstd)",
  ],
  [
    "sends a compressed form in a form that the program does not know",
    (path, _, answer) => (path === "/sw.js" ? { ...answer, headers: { "content-encoding": "dcb" } } : answer),
    "/sw.js: is encoded as dcb",
  ],
  [
    "adds a second zstd frame, which browsers decode too",
    encoded("zstd", (text) => Buffer.concat([text, "spy()"].map((each) => zstdCompressSync(each)))),
    "/sw.js: has bytes behind its end",
  ],
  [
    "adds bytes behind a brotli stream",
    encoded("br", (text) => Buffer.concat([brotliCompressSync(text), Buffer.alloc(1024 * 1024, "spy()")])),
    "/sw.js: has bytes behind its end",
  ],
  [
    "sends more than any file of a release has",
    encoded("identity", () => Buffer.alloc(65 * 1024 * 1024)),
    `/sw.js: is larger than ${64 * 1024 * 1024} bytes`,
  ],
  [
    "sends raw deflate, which browsers decode",
    encoded("deflate", () => deflateRawSync("spy()")),
    "/sw.js: cannot be decoded",
  ],
  ["sends what is no brotli", encoded("br", () => Buffer.from("spy()")), "/sw.js: cannot be decoded"],
  ["sends what is no zstd", encoded("zstd", () => Buffer.from("spy()")), "/sw.js: cannot be decoded"],
  [
    "adds a file",
    (path, _, answer) =>
      path === "/integrity.json" ? { text: JSON.stringify(integrityOf({ ...FILES, "/assets/b.js": "" })) } : answer,
    "/assets/b.js: is not in the release",
  ],
  [
    "leaves out a file",
    (path, _, answer) => (path === "/sw.js" ? { text: "", status: 404 } : answer),
    "/sw.js: the server answers 404",
  ],
  [
    "serves another page to conferences",
    (path, _, answer) => (path.startsWith("/c/f0") ? { text: `${answer.text} ` } : answer),
    `/c/${"f0".repeat(16)}: differs from the release`,
  ],
  ...[...PAGES, `/c/${"f0".repeat(16)}/`].map((address): [string, Lie, string] => [
    `serves another page at ${address} only`,
    (path, _, answer) => (path === address ? { text: `${answer.text} ` } : answer),
    `${address}: differs from the release`,
  ]),
  [
    "redirects a file",
    (path, _, answer) =>
      path === "/sw.js" ? { text: "", status: 302, headers: { location: "/assets/a.js" } } : answer,
    "/sw.js: the server answers 302",
  ],
  [
    "adds a style by a header",
    (path, _, answer) => (path === "/" ? { ...answer, headers: { link: "</b.css>; rel=stylesheet" } } : answer),
    "/: the header link is no part of the release",
  ],
]

test("prints no control characters of a server, and no endless list", async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => [`/${index}`, ""])
  const forged = { "/\u001b[2J\u009b1m\nhttps://meet.example serves the 3 files of the release.": "" }
  const text = JSON.stringify({ ...forged, [`/${"x".repeat(10_000)}`]: "", ...Object.fromEntries(names) })
  const { code, output } = await verify((path, _, answer) => (path === "/integrity.json" ? { text } : answer))
  expect(output).not.toMatch(/[^\n -~]|^https:\/\/meet/mu)
  expect(output.length).toBeLessThan(10_000)
  expect(output).toContain("does not serve the release")
  expect(code).toBe(1)
})

test.each(LIES)("reports a server that %s", async (_, lie, difference) => {
  const { code, output } = await verify(lie)
  expect(output).toContain(difference)
  expect(output).toContain("does not serve the release")
  expect(code).toBe(1)
})
