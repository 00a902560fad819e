import { createHash } from "node:crypto"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer, get, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join as joinPath } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { startServer } from "../../src/server.ts"
import { webListener } from "../../src/web/web.ts"
import { serve } from "../clients.ts"
import { freshDirectory } from "../files.ts"

const MAP = mapOf("main-1a2b3c4d")

/** A built app beside a file that is nobody's business. */
async function serveApp() {
  const parent = freshDirectory()
  const webDir = joinPath(parent, "dist")
  build(webDir, "main-1a2b3c4d")
  writeFileSync(joinPath(parent, "secret.txt"), "secret")
  return { webDir, ...(await serve({ webDir })) }
}

function mapOf(script: string): string {
  return `{"integrity":{"/assets/${script}.js":"sha384-x"}}`
}

/** In the order of a real one: what was there goes, and the list of all files comes last. */
function build(webDir: string, script: string): void {
  for (const step of buildSteps(webDir, script)) step()
}

function buildSteps(webDir: string, script: string): (() => void)[] {
  const page = `<!doctype html><title>Keymoot</title><script type="importmap">${mapOf(script)}</script>`
  const files = {
    [`/assets/${script}.js`]: `export const name = "${script}"`,
    "/favicon.svg": "<svg/>",
    // A build writes the page first without the map, and then anew.
    "/index.html": page.slice(0, 24),
    "/index.html ": page,
  }
  const write = (path: string, text: string) => () => writeFileSync(joinPath(webDir, path.trim()), text)
  const hashOf = (text: string) => `sha384-${createHash("sha384").update(text).digest("base64")}`
  const hashes = Object.fromEntries(Object.entries(files).map(([path, text]) => [path.trim(), hashOf(text)]))
  const list = JSON.stringify(hashes)
  return [
    () => rmSync(webDir, { recursive: true, force: true }),
    () => mkdirSync(joinPath(webDir, "assets"), { recursive: true }),
    ...Object.entries(files).map(([path, text]) => write(path, text)),
    write("/integrity.json", list.slice(0, 40)),
    write("/integrity.json", list),
  ]
}

/** `fetch` would tidy the path up before it asks. */
function ask(
  url: string,
  path: string,
  headersSent: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string; headers: IncomingMessage["headers"] }> {
  const { hostname, port } = new URL(url)
  return new Promise((done, fail) => {
    get({ hostname, port, path, headers: headersSent }, (response) => {
      let body = ""
      response.on("data", (chunk: Buffer) => (body += chunk.toString()))
      response.on("end", () => done({ status: response.statusCode ?? 0, body, headers: response.headers }))
    }).on("error", fail)
  })
}

describe("a browser that comes by TLS", () => {
  const secured = async (host: string) => {
    const { url } = await serve({ publicOrigins: ["https://meet.example", "http://other.example"] })
    return (await ask(url, "/", { Host: host })).headers["strict-transport-security"]
  }

  test("gets a header that allows TLS only", async () => {
    expect(await secured("meet.example")).toBe("max-age=31536000")
    expect(await secured("meet.example:8443")).toBe("max-age=31536000")
  })

  test("gets no such header under another name", async () => {
    for (const host of ["other.example", "localhost:8080", "127.0.0.1", "not a host"]) {
      expect([host, await secured(host)]).toEqual([host, undefined])
    }
  })
})

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

  test("gets the page with status 404 when a person opens an unknown address", async () => {
    const { url } = await serveApp()
    const page = await ask(url, "/")
    const opened = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8", "If-None-Match": page.headers.etag ?? "" }
    for (const path of ["/foo", "/c/a/b", "/admin"]) {
      const { status, body, headers } = await ask(url, path, opened)
      expect([path, status, headers["content-type"]]).toEqual([path, 404, "text/html;charset=utf-8"])
      expect(body).toBe(page.body)
    }
    expect((await ask(url, "/assets/gone.js", { Accept: "*/*" })).body).toBe("Not found.\n")
  })

  test("gets with every answer a policy against foreign scripts and referrers", async () => {
    const { url } = await serveApp()
    for (const path of ["/", "/c/abc", "/assets/main-1a2b3c4d.js", "/nothing", "/healthz"]) {
      const { headers } = await ask(url, path)
      const policy = headers["content-security-policy"] ?? ""
      expect(policy).toContain("default-src 'self'")
      const hash = createHash("sha256").update(MAP).digest("base64")
      expect(policy).toContain(`; script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'; `)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("; require-trusted-types-for 'script'; trusted-types default")
      expect(headers).not.toHaveProperty("strict-transport-security")
      expect(headers).toMatchObject({
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
        "cross-origin-resource-policy": "same-origin",
      })
      expect(headers["permissions-policy"]).toMatch(
        /^camera=\(self\), microphone=\(self\), display-capture=\(self\), geolocation=\(\), /u,
      )
    }
  })

  test("is framed by the named origins only, and by none unless some are named", async () => {
    const { webDir } = await serveApp()
    const { url } = await serve({ webDir, embedOrigins: ["https://shop.example", "https://school.example:8443"] })
    for (const path of ["/", "/c/abc"]) {
      const policy = (await ask(url, path)).headers["content-security-policy"] ?? ""
      expect(policy).toContain("; frame-ancestors https://shop.example https://school.example:8443; ")
    }
  })

  test("cannot read an answer of the signalling server when its site is another", async () => {
    const { url } = await serveApp()
    const response = await fetch(`${url}/signaling/v1/?EIO=4&transport=polling`, {
      headers: { Origin: "https://elsewhere.example" },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get("access-control-allow-origin")).toBeNull()
  })
})

test("a client of another signalling version learns that it is not served", async () => {
  const { url } = await serveApp()
  for (const method of ["GET", "POST"]) {
    const response = await fetch(`${url}/signaling/v2/?EIO=4&transport=polling`, { method })
    expect(response.status).toBe(426)
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
  }
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

describe("while the app is built anew, a browser", () => {
  test("gets the former build whole until the new one is whole, from the same server", async () => {
    const { url, webDir } = await serveApp()
    const steps = buildSteps(webDir, "main-5e6f7a8b")
    for (const [index, step] of steps.entries()) {
      step()
      const script = index < steps.length - 1 ? "main-1a2b3c4d" : "main-5e6f7a8b"
      const { body, headers } = await ask(url, "/c/abc")
      expect(body).toContain(mapOf(script))
      expect(body).toHaveLength(Number(headers["content-length"]))
      const hash = createHash("sha256").update(mapOf(script)).digest("base64")
      expect(headers["content-security-policy"]).toContain(`'sha256-${hash}'`)
      expect(headers["cache-control"]).toBe("no-cache")
      const asset = await ask(url, `/assets/${script}.js`)
      expect([asset.status, asset.body]).toEqual([200, `export const name = "${script}"`])
      expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable")
      expect(Object.keys(JSON.parse((await ask(url, "/integrity.json")).body) as object)).toContain(
        `/assets/${script}.js`,
      )
    }
  })

  test("gets the new page when it kept the former one, and no page twice", async () => {
    const { url, webDir } = await serveApp()
    const kept = (await ask(url, "/")).headers.etag ?? ""
    for (const tag of [kept, `W/${kept}`, `"other", ${kept}`]) {
      const { status, body, headers } = await ask(url, "/", { "If-None-Match": tag })
      expect([tag, status, body, headers["cache-control"]]).toEqual([tag, 304, "", "no-cache"])
    }
    build(webDir, "main-5e6f7a8b")
    const { status, headers } = await ask(url, "/", { "If-None-Match": kept })
    expect(status).toBe(200)
    expect(headers.etag).not.toBe(kept)
  })

  test("gets the parts of its own build when it opened the page before", async () => {
    const { url, webDir } = await serveApp()
    build(webDir, "main-5e6f7a8b")
    expect((await ask(url, "/")).body).toContain("main-5e6f7a8b")
    expect((await ask(url, "/assets/main-1a2b3c4d.js")).body).toBe(`export const name = "main-1a2b3c4d"`)
  })

  test("with a page from another process gets the script that it names from this one", async () => {
    const { url, webDir } = await serveApp()
    build(webDir, "main-5e6f7a8b")
    expect((await ask(url, "/assets/main-5e6f7a8b.js")).body).toBe(`export const name = "main-5e6f7a8b"`)
  })
})

test("reports an incomplete build when the server starts", async () => {
  const webDir = joinPath(freshDirectory(), "dist")
  build(webDir, "main-1a2b3c4d")
  writeFileSync(joinPath(webDir, "favicon.svg"), "<svg></svg>")
  await expect(startServer({ webDir })).rejects.toThrow(
    /favicon\.svg is not the file that was built.*npm run build:web/u,
  )
  build(webDir, "main-1a2b3c4d")
  rmSync(joinPath(webDir, "assets", "main-1a2b3c4d.js"))
  await expect(startServer({ webDir })).rejects.toThrow(/main-1a2b3c4d\.js is missing.*npm run build:web/u)
})

test("reports a missing build when the server starts", async () => {
  await expect(startServer({ webDir: freshDirectory() })).rejects.toThrow(/not built.*npm run build:web/u)
})

test("a probe that fails ends its own request and no other", async () => {
  const fail = () => Promise.reject(new Error("the store is gone"))
  const server = createServer(
    webListener(
      undefined,
      { "/fails": fail, "/works": () => ({ status: 200, text: "ok", contentType: "text/plain" }) },
      [],
    ),
  )
  onTestFinished(() => void server.close())
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(ask(url, "/fails")).rejects.toThrow("socket hang up")
  expect((await ask(url, "/works")).status).toBe(200)
})
