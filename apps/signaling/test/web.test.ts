import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { get, type IncomingMessage } from "node:http"
import { join as joinPath } from "node:path"
import { describe, expect, test } from "vitest"
import { startServer } from "../src/server.ts"
import { serve } from "./clients.ts"
import { freshDirectory } from "./files.ts"

const MAP = `{"integrity":{"/assets/main-1a2b3c4d.js":"sha384-x"}}`

/** A built app beside a file that is nobody's business. */
async function serveApp() {
  const parent = freshDirectory()
  const webDir = joinPath(parent, "dist")
  mkdirSync(joinPath(webDir, "assets"), { recursive: true })
  writeFileSync(
    joinPath(webDir, "index.html"),
    `<!doctype html><title>Keymoot</title><script type="importmap">${MAP}</script>`,
  )
  writeFileSync(joinPath(webDir, "favicon.svg"), "<svg/>")
  writeFileSync(joinPath(webDir, "assets", "main-1a2b3c4d.js"), "export {}")
  writeFileSync(joinPath(parent, "secret.txt"), "secret")
  return serve({ webDir })
}

/** `fetch` would tidy the path up before it asks. */
function ask(
  url: string,
  path: string,
): Promise<{ status: number; body: string; headers: IncomingMessage["headers"] }> {
  const { hostname, port } = new URL(url)
  return new Promise((done, fail) => {
    get({ hostname, port, path }, (response) => {
      let body = ""
      response.on("data", (chunk: Buffer) => (body += chunk.toString()))
      response.on("end", () => done({ status: response.statusCode ?? 0, body, headers: response.headers }))
    }).on("error", fail)
  })
}

describe("a browser", () => {
  test("gets the page at the root and at every conference, and asks anew each time", async () => {
    const { url } = await serveApp()
    for (const path of ["/", "/?utm=1", "/c/00112233445566778899aabbccddeeff", "/c/abc/", "/c/abc?x"]) {
      const { status, body, headers } = await ask(url, path)
      expect([path, status, headers["content-type"]]).toEqual([path, 200, "text/html;charset=utf-8"])
      expect(body).toContain("<title>Keymoot</title>")
      expect(headers["cache-control"]).toBe("no-cache")
    }
  })

  test("keeps hashed files for good and only those", async () => {
    const { url } = await serveApp()
    const script = await ask(url, "/assets/main-1a2b3c4d.js")
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable")
    expect(script.headers["content-type"]).toBe("text/javascript")
    expect((await ask(url, "/favicon.svg")).headers["cache-control"]).toBe("no-cache")
  })

  test("gets a 404, not the page, for what does not exist", async () => {
    const { url } = await serveApp()
    for (const path of [
      "/assets/gone.js",
      "/assets/",
      "/c",
      "/c/",
      "/c/a/b",
      "/c/a.b",
      "/admin",
      "/socket.io/socket.io.js",
    ]) {
      const { status, body } = await ask(url, path)
      expect([path, status]).toEqual([path, 404])
      expect(body).not.toContain("<title>")
    }
  })

  test("is told with every answer to run no stranger's script and to give no path away", async () => {
    const { url } = await serveApp()
    for (const path of ["/", "/c/abc", "/assets/main-1a2b3c4d.js", "/nothing", "/healthz"]) {
      const { headers } = await ask(url, path)
      const policy = headers["content-security-policy"] ?? ""
      expect(policy).toContain("default-src 'self'")
      const hash = createHash("sha256").update(MAP).digest("base64")
      expect(policy).toContain(`; script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'; `)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers).toMatchObject({
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
        "cross-origin-resource-policy": "same-origin",
      })
      expect(headers["permissions-policy"]).toMatch(/^camera=\(self\), microphone=\(\), /u)
    }
  })

  test("of another site may not read an answer of the signalling server", async () => {
    const { url } = await serveApp()
    const response = await fetch(`${url}/signaling/v1/?EIO=4&transport=polling`, {
      headers: { Origin: "https://elsewhere.example" },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get("access-control-allow-origin")).toBeNull()
  })
})

describe("whoever guesses at paths", () => {
  test("gets no file outside the app", async () => {
    const { url } = await serveApp()
    for (const path of [
      "/../secret.txt",
      "/assets/../../secret.txt",
      "/..%2fsecret.txt",
      "/%2e%2e/secret.txt",
      "/%2e%2e%2fsecret.txt",
      "/..\\secret.txt",
      "//secret.txt",
      "/c/../../secret.txt",
      "/%",
      "/%00",
    ]) {
      const { status, body } = await ask(url, path)
      expect([path, status]).toEqual([path, 404])
      expect(body).not.toContain("secret")
    }
  })

  test("changes nothing by another method", async () => {
    const { url } = await serveApp()
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect((await fetch(url, { method })).status).toBe(405)
    }
  })
})

test("a probe hears that the server is alive, with and without an app", async () => {
  const [withApp, without] = [await serveApp(), await serve()]
  for (const { url } of [withApp, without]) expect((await ask(url, "/healthz")).status).toBe(200)
  expect((await ask(without.url, "/")).status).toBe(404)
})

test("whoever forgot to build the app hears so", async () => {
  await expect(startServer({ webDir: freshDirectory() })).rejects.toThrow(/not built.*npm run build:web/u)
})
