/** The built app over the wire: the server sends what the build compressed, and browsers get the same files. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import type { Request } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"

const DECODERS = {
  identity: (body: Buffer) => body,
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}
type Encoding = keyof typeof DECODERS

/** Some 430 kB when this was written, and 1.48 MB without compression. */
const FIRST_LOAD_BYTES_MAX = 500_000

/** `fetch` would decode the body. */
async function get(url: string, accepted: Encoding): Promise<{ readonly encoding: Encoding; readonly body: Buffer }> {
  const asked = request(url, { headers: { "Accept-Encoding": accepted } }).end()
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  return { encoding: (response.headers["content-encoding"] ?? "identity") as Encoding, body: await buffer(response) }
}

test("every file of the app decodes to the published one in every encoding", async ({ server }) => {
  const { body: list } = await get(`${server.origin}/integrity.json`, "identity")
  const published = Object.entries(JSON.parse(list.toString()) as Record<string, string>)
  for (const accepted of Object.keys(DECODERS) as Encoding[]) {
    let compressed = 0
    for (const [path, hash] of published) {
      const { encoding, body } = await get(`${server.origin}${path}`, accepted)
      expect([accepted, "identity"]).toContain(encoding)
      if (encoding !== "identity") compressed++
      const digest = createHash("sha384").update(DECODERS[encoding](body)).digest("base64")
      expect([path, encoding, `sha384-${digest}`]).toEqual([path, encoding, hash])
    }
    expect(compressed > 100, accepted).toBe(accepted !== "identity")
  }
})

test("the start page with its engine loads in less than half a megabyte", async ({ server, people }) => {
  const ada = await people.arrive("Ada", "chromium")
  const loaded: Request[] = []
  ada.page.on("requestfinished", (request) => loaded.push(request))
  await ada.page.goto(server.origin)
  // The engine's chunk comes last. Only the room's screen, for which nobody waits, is fetched after it.
  const engine = () => loaded.findIndex((each) => new URL(each.url()).pathname.startsWith("/assets/engine-"))
  await expect.poll(engine).toBeGreaterThan(0)
  const sizes = await Promise.all(loaded.slice(0, engine() + 1).map((each) => each.sizes()))
  const bytes = sizes.reduce((sum, each) => sum + each.responseHeadersSize + each.responseBodySize, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX)
})
