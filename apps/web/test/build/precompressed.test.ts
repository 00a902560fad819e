import { createHash, randomBytes } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"
import { isPrecompressed, precompress } from "../../build/precompressed.ts"

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}
const FILES: Readonly<Record<string, string | Buffer>> = {
  "/index.html": "<p>hello</p>".repeat(500),
  "/small.js": "export {}",
  "/incompressible.json": randomBytes(4_096),
  "/font.woff2": "font".repeat(1_000),
}
const hashOf = (body: string | Buffer) => `sha384-${createHash("sha384").update(body).digest("base64")}`

test("writes forms, smallest first, of files that shrink and of no others", async () => {
  const dir = mkdtempSync(join(tmpdir(), "keymoot-precompressed-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  for (const [path, body] of Object.entries(FILES)) writeFileSync(join(dir, path), body)
  await precompress(dir, Object.fromEntries(Object.entries(FILES).map(([path, body]) => [path, hashOf(body)])))

  const lists = JSON.parse(readFileSync(join(dir, "precompressed.json"), "utf8")) as Record<
    string,
    { of: string; forms: { encoding: string; path: string; hash: string }[] }
  >
  expect(Object.keys(lists)).toEqual(["/index.html"])
  const { of, forms } = lists["/index.html"]!
  expect(of).toBe(hashOf(FILES["/index.html"]!))
  expect(forms.map(({ encoding }) => encoding).toSorted()).toEqual(["br", "gzip", "zstd"])
  const bodies = forms.map(({ path }) => readFileSync(join(dir, path)))
  for (const [index, { encoding, hash }] of forms.entries()) {
    expect(hashOf(bodies[index]!)).toBe(hash)
    expect(DECODERS[encoding]?.(bodies[index]!).toString()).toBe(FILES["/index.html"])
  }
  const sizes = bodies.map(({ length }) => length)
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other))

  const written = readdirSync(dir).map((name) => `/${name}`)
  expect(written.filter((path) => !isPrecompressed(path)).toSorted()).toEqual(Object.keys(FILES).toSorted())
  expect(written).toHaveLength(Object.keys(FILES).length + forms.length + 1)
})
