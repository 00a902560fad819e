import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join as joinPath } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { configFromEnvironment } from "../src/config.ts"
import { createRoom, join, serve } from "./clients.ts"
import { freshDirectory } from "./files.ts"
import { readyUrl, spawnServer } from "./processes.ts"

describe("whoever starts the server", () => {
  test("hears where it is, and stops it with a signal while people are connected", async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const server = spawnServer({ PORT: "0", DATA_DIR: freshDirectory(), WEB_DIR: "none" })
      const url = await readyUrl(server)
      const client = await join(url)
      await createRoom(client)
      const gone = new Promise<void>((done) => client.socket.once("disconnect", () => done()))
      server.child.kill(signal)
      expect(await server.ended).toBe(0)
      await gone
      expect(server.output()).toBe(`Keymoot is ready at ${url}\n`)
      const log = server.errors().trim().split("\n")
      expect(log.map((line) => JSON.parse(line) as object)).toEqual([
        expect.objectContaining({ msg: "started", port: Number(new URL(url).port), database: "sqlite", redis: false }),
        expect.objectContaining({ msg: "stopping", connections: 1 }),
        expect.objectContaining({ msg: "stopped" }),
      ])
    }
  })

  test("hears that other devices need https when it listens on all networks", async () => {
    const server = spawnServer({ PORT: "0", HOST: "0.0.0.0", DATA_DIR: freshDirectory(), WEB_DIR: "none" })
    const url = await readyUrl(server)
    expect(url).toMatch(/^http:\/\/localhost:\d+$/u)
    expect(server.output()).toContain("browsers encrypt over https only")
    server.child.kill("SIGTERM")
    expect(await server.ended).toBe(0)
  })

  test("hears in one sentence that this Node cannot run it", async () => {
    // As Node 20 is: without TypeScript.
    const server = spawnServer({}, [], ["--no-experimental-strip-types"])
    expect(await server.ended).toBe(1)
    expect(server.errors()).toMatch(/^Keymoot needs Node 22\.18 or newer, and this is v[^\n]+ "npm ci"[^\n]+\.\n$/u)
    expect(server.output()).toBe("")
  })

  test("hears in one sentence that the port is taken", async () => {
    const occupant = createServer().listen(0, "127.0.0.1")
    onTestFinished(() => void occupant.close())
    await once(occupant, "listening")
    const { port } = occupant.address() as AddressInfo
    const server = spawnServer({ PORT: String(port), DATA_DIR: freshDirectory(), WEB_DIR: "none" })
    expect(await server.ended).toBe(1)
    expect(server.errors()).toBe(
      `Port ${port} is already in use: stop the program that uses it, or set PORT to another.\n`,
    )
    expect(server.output()).toBe("")
  })

  test("hears in one sentence that the app is not built, or that the database is none", async () => {
    const noApp = spawnServer({ PORT: "0", DATA_DIR: freshDirectory(), WEB_DIR: freshDirectory() })
    expect(await noApp.ended).toBe(1)
    expect(noApp.errors()).toMatch(/^The web app is not built: .*Run "npm run build:web"\.\n$/u)

    const dataDir = freshDirectory()
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(joinPath(dataDir, "keymoot.db"), "this is no database, it is a text that somebody put here")
    const noDatabase = spawnServer({ PORT: "0", DATA_DIR: dataDir, WEB_DIR: "none" })
    expect(await noDatabase.ended).toBe(1)
    expect(noDatabase.errors()).toMatch(/^The database in \S+ cannot be opened: [^\n]+\n$/u)
  })

  test("hears which setting is wrong", async () => {
    for (const [name, value] of [
      ["PORT", "http"],
      ["PORT", "65536"],
      ["PORT", "-1"],
      ["PORT", ""],
      ["HOST", ""],
      ["DATA_DIR", ""],
      ["LOG_LEVEL", "loud"],
    ] as const) {
      expect(() => configFromEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} must be .*"${value}"`, "u"))
    }
    const server = spawnServer({ PORT: "http" })
    expect(await server.ended).toBe(1)
    expect(server.errors()).toBe('PORT must be a number from 0 to 65535, not "http".\n')
  })

  test("hears which settings there are", async () => {
    const server = spawnServer({}, ["--help"])
    expect(await server.ended).toBe(0)
    for (const name of ["PORT", "HOST", "DATA_DIR", "WEB_DIR", "LOG_LEVEL"]) expect(server.output()).toContain(name)
    const wrong = spawnServer({}, ["--port=1"])
    expect(await wrong.ended).toBe(1)
    expect(wrong.errors()).toBe('Unknown argument "--port=1": see --help.\n')
  })

  test("without any setting gets port 8080 on this machine only", () => {
    expect(configFromEnvironment({})).toMatchObject({ port: 8080, host: "127.0.0.1", logLevel: "info" })
  })
})

test("has all acknowledged data when it starts again after a stop", async () => {
  const dataDir = freshDirectory()
  const before = await serve({ dataDir })
  const room = await createRoom(await join(before.url))
  await before.close()
  const after = await serve({ dataDir })
  const client = await join(after.url)
  expect((await client.ask("conference:get", { id: room })).ok).toBe(true)
})

test("the logs name neither a conference, nor an address, nor what was said", async () => {
  const server = spawnServer({ PORT: "0", DATA_DIR: freshDirectory(), WEB_DIR: "none", LOG_LEVEL: "trace" })
  const client = await join(await readyUrl(server))
  const room = await createRoom(client)
  const address = room.replace(/^./u, "0")
  await client.ask("room:enter", { room, address })
  await client.say("room:enter", { room, address, said: "something secret" })
  server.child.kill("SIGTERM")
  await server.ended
  const logs = server.errors()
  expect(logs).toContain("bad-request")
  for (const secret of [room, address, "secret", "127.0.0.1"]) expect(logs).not.toContain(secret)
})
