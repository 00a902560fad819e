/** `@keymoot/verify-site` against the real server with the built app. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib"
import { expect, test } from "../../support/fixtures.ts"
import { ServerProcess } from "../../support/server-process.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

const APP = fileURLToPath(new URL("../../../apps/web/dist/", import.meta.url))
const PROGRAM = fileURLToPath(new URL("../../../packages/verify-site/verify-site.js", import.meta.url))
/** A file and its compressed forms, by the ending of their names. */
const FORMS = { "": (bytes: Buffer) => bytes, ".br": brotliCompressSync, ".gz": gzipSync, ".zst": zstdCompressSync }
const RELEASE = join(APP, "integrity.json")

async function verify(origin: string): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, [PROGRAM, origin, "--manifest", RELEASE], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")])
  return { code: code as number, output }
}

test("verify-site accepts the built app from the real server", async ({ server }) => {
  // All but the list of compressed forms.
  const count = Object.keys(JSON.parse(await readFile(RELEASE, "utf8")) as object).length - 1
  expect(count).toBeGreaterThan(10)
  const output = `${server.origin} serves the ${count} files of the release.\n`
  expect(await verify(server.origin)).toEqual({ code: 0, output })
})

test("verify-site names the one script that an operator has built anew", async () => {
  const copy = await mkdtemp(join(tmpdir(), "keymoot-altered-app-"))
  await cp(APP, copy, { recursive: true })
  const page = await readFile(join(copy, "index.html"), "utf8")
  const path = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/u.exec(page)![1]!
  const altered = Buffer.from(`${await readFile(join(copy, path), "utf8")};spy()`)
  // The server starts with a build only that fits its own list.
  for (const [ending, compress] of Object.entries(FORMS)) await writeFile(join(copy, path + ending), compress(altered))
  const list = JSON.parse(await readFile(join(copy, "integrity.json"), "utf8")) as Record<string, string>
  list[path] = `sha384-${createHash("sha384").update(altered).digest("base64")}`
  await writeFile(join(copy, "integrity.json"), JSON.stringify(list))
  const server = await ServerProcess.start({ WEB_DIR: copy })
  try {
    const lines = ["br, gzip", "gzip", "gzip, deflate, br, zstd", "identity", "zstd"].map(
      (form) => `${path}: differs from the release (${form})`,
    )
    lines.push(`${server.origin} does not serve the release: ${lines.length} differences.`)
    expect(await verify(server.origin)).toEqual({ code: 1, output: `${lines.join("\n")}\n` })
  } finally {
    await server.dispose()
    await rm(copy, { recursive: true })
  }
})
