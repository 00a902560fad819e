/** Plain HTTP and long polling: plays one network address at ten times its bounds. docs/budgets.md has the numbers. */
import { createHash, randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { Agent, get, type RequestOptions } from "node:http"
import { connect, type Socket } from "node:net"
import { join as joinPath } from "node:path"
import { SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  HTTP_BYTES_BURST,
  HTTP_BYTES_PER_SECOND,
  HTTP_REQUESTS_BURST,
  HTTP_REQUESTS_PER_SECOND,
  HTTP_UNREAD_BYTES_MAX,
  type Limits,
  LIMITS,
  SOCKETS_PER_ADDRESS_MAX,
} from "../../src/bounds/limits.ts"
import { serve, until } from "../clients.ts"
import { freshDirectory } from "../files.ts"
import { readyUrl, spawnServer } from "../processes.ts"

/** More than the kernel buffers for a reader on this machine, so that a slow one is slow for the server as well. */
const FILE_BYTES = 8 * 1024 * 1024
const FILE = "/assets/large-1a2b3c4d.js"
const ATTACKER = "192.0.2.1"
const OTHER = "192.0.2.2"
const once = (burst: number) => ({ burst, perSecond: 0.001 })

function appWithLargeFile(): string {
  const webDir = joinPath(freshDirectory(), "dist")
  const files = { "/index.html": Buffer.from("<!doctype html>"), [FILE]: randomBytes(FILE_BYTES) }
  mkdirSync(joinPath(webDir, "assets"), { recursive: true })
  const hashes = Object.entries(files).map(([path, body]) => {
    writeFileSync(joinPath(webDir, path), body)
    return [path, `sha384-${createHash("sha384").update(body).digest("base64")}`]
  })
  writeFileSync(joinPath(webDir, "integrity.json"), JSON.stringify(Object.fromEntries(hashes)))
  return webDir
}

async function serveApp(limits: Partial<Limits>, trustedProxies = 1): Promise<string> {
  return (await serve({ webDir: appWithLargeFile(), trustedProxies }, limits)).url
}

/** The status, when the whole answer has been read. */
function read(url: string, path: string, network: string, options: RequestOptions = {}): Promise<number> {
  const { port } = new URL(url)
  const headers = { "X-Forwarded-For": network }
  return new Promise((done, fail) => {
    get({ hostname: "127.0.0.1", port, path, headers, agent: false, ...options }, (response) => {
      response.resume().once("end", () => done(response.statusCode ?? 0))
    }).once("error", fail)
  })
}

/** Asks for the large file and reads no more than the beginning of the answer. Resolves to its status. */
function stall(url: string, network: string): Promise<number> {
  const socket = raw(url)
  socket.write(`GET ${FILE} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${network}\r\n\r\n`)
  return new Promise((done) => {
    socket.once("data", (chunk: Buffer) => {
      socket.pause()
      done(Number(chunk.toString("latin1", 9, 12)))
    })
  })
}

function raw(url: string, allowHalfOpen = false): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen })
  socket.on("error", () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

async function answered(status: number, answers: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(answers)).filter((other) => other === status).length
}

describe("one network address at ten times the bound", () => {
  test("leaves no more unread than its share, and others are served", async () => {
    const url = await serveApp({ httpUnreadPerAddressMax: 4 * FILE_BYTES })
    const readers = Array.from({ length: 40 }, () => stall(url, ATTACKER))
    expect(await answered(200, readers)).toBe(4)
    expect(await read(url, "/", ATTACKER)).toBe(429)
    expect(await read(url, FILE, OTHER)).toBe(200)
  })

  test("gets so many requests answered, over long polling as well", async () => {
    const url = await serveApp({ httpRequests: once(20) })
    const paths = ["/", "/nothing", "/readyz", `${SIGNALING_PATH}/?EIO=4&transport=polling`]
    const asked = Array.from({ length: 200 }, (_, number) => read(url, paths[number % paths.length]!, ATTACKER))
    expect(await answered(429, asked)).toBe(180)
    expect(await read(url, "/", OTHER)).toBe(200)
  })

  test("is sent so many bytes", async () => {
    const url = await serveApp({ httpBytes: once(FILE_BYTES / 2) })
    expect(await read(url, FILE, ATTACKER)).toBe(200)
    const asked = Array.from({ length: 10 }, () => read(url, FILE, ATTACKER))
    expect(await answered(429, asked)).toBe(10)
    expect(await read(url, FILE, OTHER)).toBe(200)
  })

  test("keeps so many sockets open, whether or not they say anything", async () => {
    const url = await serveApp({ socketsPerAddressMax: 8 }, 0)
    let closed = 0
    for (let count = 0; count < 80; count++) raw(url).once("close", () => (closed += 1))
    await until(() => expect(closed).toBe(72))
    expect(await read(url, "/", OTHER, { localAddress: "127.0.0.2" })).toBe(200)
  })

  test("has eight shares of sockets with the many networks of an IPv6 site", async () => {
    const url = await serveApp({ socketsPerAddressMax: 1 })
    const readers = Array.from({ length: 40 }, (_, number) => stall(url, `2001:db8:0:${number}::1`))
    expect(await answered(200, readers)).toBe(8)
    expect(await read(url, FILE, "2001:db8:1::1")).toBe(200)
  })

  test("has so many requests under way behind a proxy", async () => {
    const url = await serveApp({ socketsPerAddressMax: 8 })
    const readers = Array.from({ length: 80 }, () => stall(url, ATTACKER))
    expect(await answered(200, readers)).toBe(8)
    expect(await read(url, FILE, OTHER)).toBe(200)
  })
})

/** Asks for an upgrade, and closes nothing itself. Resolves to the status. */
function upgrade(url: string, path: string, network: string): Promise<number> {
  const socket = raw(url, true)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${network}\r\n${UPGRADE}\r\n`)
  return new Promise((done) => {
    socket.once("data", (chunk: Buffer) => done(Number(chunk.toString("latin1", 9, 12))))
    socket.once("end", () => done(0))
  })
}
const UPGRADE = "Connection: Upgrade\r\nUpgrade: x\r\n"

describe("a request for an upgrade", () => {
  test("is refused for another path, and holds no socket that its client keeps open", async () => {
    const url = await serveApp({ socketsPerAddressMax: 1 }, 0)
    expect(await upgrade(url, "/", ATTACKER)).toBe(404)
    await until(async () => expect(await read(url, "/", ATTACKER)).toBe(200))
  })

  test("counts as a request", async () => {
    const url = await serveApp({ httpRequests: once(20) })
    const paths = ["/", `${SIGNALING_PATH}/?EIO=4&transport=websocket`]
    const asked = Array.from({ length: 200 }, (_, number) => upgrade(url, paths[number % 2]!, ATTACKER))
    expect(await answered(429, asked)).toBe(180)
    expect(await read(url, "/", OTHER)).toBe(200)
  })

  test("does not end the process when its client resets the connection", async () => {
    const url = await readyUrl(spawnServer({ PORT: "0", WEB_DIR: "none" }))
    for (const body of ["", "Transfer-Encoding: chunked\r\n"]) {
      const socket = raw(url)
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${UPGRADE}${body}\r\nno chunk\r\n`)
      // The server has read the request before the one that is sent after it.
      expect(await read(url, "/healthz", OTHER)).toBe(200)
      socket.resetAndDestroy()
      expect([await read(url, "/healthz", OTHER), await read(url, "/healthz", OTHER)]).toEqual([200, 200])
    }
  })
})

describe("an answer that is not read", () => {
  test("is given up when nothing of it is taken for a while", async () => {
    const url = await serveApp({ httpUnreadPerAddressMax: FILE_BYTES, httpStalledMs: 100 })
    expect(await stall(url, ATTACKER)).toBe(200)
    await until(async () => expect(await read(url, "/", ATTACKER)).toBe(200))
  })

  test("is given up when it takes too long in all", async () => {
    const url = await serveApp({ httpUnreadPerAddressMax: FILE_BYTES, httpAnswerMsMax: 100 })
    expect(await stall(url, ATTACKER)).toBe(200)
    await until(async () => expect(await read(url, "/", ATTACKER)).toBe(200))
  })

  test("counts until its connection asks for something else, or closes", async () => {
    const url = await serveApp({ httpUnreadPerAddressMax: FILE_BYTES / 2 })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const again = () => read(url, FILE, ATTACKER, { agent })
    expect([await again(), await again(), await again()]).toEqual([200, 200, 200])
    expect(await read(url, "/", ATTACKER)).toBe(429)
    agent.destroy()
    await until(async () => expect(await read(url, "/", ATTACKER)).toBe(200))
  })
})

test("has the documents' bounds when no others are set", () => {
  expect(LIMITS).toMatchObject({
    httpUnreadPerAddressMax: HTTP_UNREAD_BYTES_MAX,
    socketsPerAddressMax: SOCKETS_PER_ADDRESS_MAX,
    httpRequests: { burst: HTTP_REQUESTS_BURST, perSecond: HTTP_REQUESTS_PER_SECOND },
    httpBytes: { burst: HTTP_BYTES_BURST, perSecond: HTTP_BYTES_PER_SECOND },
  })
})
