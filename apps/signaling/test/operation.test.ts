import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { RELAY_ANSWER_TIMEOUT_MS, SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { describe, expect, onTestFinished, test } from "vitest"
import { configFromEnvironment, helpText } from "../src/config.ts"
import { findService, howToInstall, startPostgres } from "@keymoot/tools"
import { person, prove } from "./certificates.ts"
import { bytesOf, createRoom, creation, enterRoom, freshHex, inAnHour, join, serve, until } from "./clients.ts"
import { freshDirectory } from "./files.ts"
import { readyUrl, spawnServer } from "./processes.ts"

const TOKEN = "a-token-for-this-test"
/** Status of the answer to a WebSocket handshake. */
async function upgradeStatusOf(url: string): Promise<number | undefined> {
  const key = Buffer.from("a nonce of 16 by").toString("base64")
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": key,
  }
  const asked = request(`${url}${SIGNALING_PATH}/?EIO=4&transport=websocket`, { headers }).end()
  const [answer] = (await once(asked, "response")) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

const statusOf = async (url: string, path: string) => (await fetch(`${url}${path}`)).status

describe("whoever measures the server", () => {
  test("finds connections, rooms, requests, bytes, latencies, process, but no identities", async () => {
    const { url } = await serve({ metricsToken: TOKEN })
    const client = await join(url)
    const room = await createRoom(client)
    const member = await enterRoom(url, room)
    const ada = person("Ada Lovelace")
    await prove(client, ada, url, "participant:add")
    await client.say("conference:get", { id: 7 })
    await client.say("no:such:request", {})
    const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4")
    const report = await response.text()
    for (const line of [
      "keymoot_connections 2",
      "keymoot_rooms 1",
      'keymoot_requests_total{request="conference:create",outcome="ok"} 1',
      'keymoot_requests_total{request="conference:get",outcome="bad-request"} 1',
      'keymoot_requests_total{request="unknown",outcome="bad-request"} 1',
      'keymoot_request_seconds_count{request="room:enter"} 1',
      'keymoot_entries_total{kind="proven"} 1',
      "keymoot_store_errors_total 0",
    ]) {
      expect(report.split("\n")).toContain(line)
    }
    expect(report).toMatch(/keymoot_bytes_total\{direction="in"\} [1-9]/u)
    expect(report).toMatch(/keymoot_bytes_total\{direction="out"\} [1-9]/u)
    expect(report).toMatch(/^process_resident_memory_bytes [1-9]/mu)
    for (const secret of [room, member.address, "Ada", ada.fingerprint, "127.0.0.1", "::1"]) {
      expect(report).not.toContain(secret)
    }
  })

  test("needs the token, and without one finds no such page", async () => {
    const [open, closed] = [await serve({ metricsToken: TOKEN }), await serve()]
    expect(await statusOf(closed.url, "/metrics")).toBe(404)
    for (const authorization of ["", `Bearer ${TOKEN}x`, "Bearer", `Basic ${TOKEN}`, TOKEN]) {
      const response = await fetch(`${open.url}/metrics`, { headers: { Authorization: authorization } })
      expect([authorization, response.status]).toEqual([authorization, 401])
      expect(await response.text()).not.toContain("keymoot_")
    }
  })

  test("sees failures of the store", async () => {
    const dataDir = freshDirectory()
    const { url } = await serve({ dataDir, metricsToken: TOKEN })
    const client = await join(url)
    const saboteur = new DatabaseSync(`${dataDir}/keymoot.db`)
    saboteur.exec("ALTER TABLE conference RENAME TO hidden")
    expect(await client.ask("conference:get", { id: freshHex() })).toMatchObject({ code: "storage-failed" })
    saboteur.exec("ALTER TABLE hidden RENAME TO conference")
    saboteur.close()
    const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })
    expect(await response.text()).toContain("keymoot_store_errors_total 1\n")
  })
})

describe("a balancer", () => {
  test("hears that the server is ready, and that it is not while its database is away", async ({ skip }) => {
    const { url } = await serve()
    expect(await statusOf(url, "/readyz")).toBe(200)
    skip(findService("postgres") === null, howToInstall("postgres"))
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const grown = await serve({ databaseUrl: postgres.freshDatabase() })
    expect(await statusOf(grown.url, "/readyz")).toBe(200)
    const client = await join(grown.url)
    await postgres.kill()
    expect(await statusOf(grown.url, "/readyz")).toBe(503)
    expect(await statusOf(grown.url, "/healthz")).toBe(200)
    expect(await client.ask("conference:get", { id: freshHex() })).toMatchObject({ code: "storage-failed" })
    await postgres.start()
    await until(async () => expect(await statusOf(grown.url, "/readyz")).toBe(200))
    await createRoom(client)
  })

  test("hears that the server is not ready while its database stores nothing", async () => {
    const dataDir = freshDirectory()
    const { url } = await serve({ dataDir })
    const client = await join(url)
    await createRoom(client)
    const saboteur = new DatabaseSync(`${dataDir}/keymoot.db`)
    onTestFinished(() => saboteur.close())
    saboteur.exec(
      "CREATE TRIGGER full BEFORE INSERT ON conference BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    )
    const request = creation()
    expect(await client.ask("conference:create", request)).toMatchObject({ code: "storage-failed" })
    expect(await statusOf(url, "/readyz")).toBe(503)
    saboteur.exec("DROP TRIGGER full")
    expect(await client.ask("conference:create", request)).toEqual({ ok: true })
    expect(await statusOf(url, "/readyz")).toBe(200)
  })

  const draining = (seconds: string) => ({
    PORT: "0",
    DATA_DIR: freshDirectory(),
    WEB_DIR: "none",
    DRAIN_SECONDS: seconds,
    LOG_LEVEL: "error",
  })

  test("sees that a server drains: clients there are served, new ones are refused", async () => {
    // Longer than any machine takes for all this: the end of it is the next test's.
    const server = spawnServer(draining("600"))
    const url = await readyUrl(server)
    const client = await join(url)
    server.child.kill("SIGTERM")
    await until(async () => expect(await statusOf(url, "/readyz")).toBe(503))
    expect(await statusOf(url, "/healthz")).toBe(200)
    const id = await createRoom(client)
    expect((await client.ask("conference:get", { id })).ok).toBe(true)
    const refusal = await fetch(`${url}${SIGNALING_PATH}/?EIO=4&transport=polling`)
    expect([refusal.status, await refusal.json()]).toMatchObject([
      403,
      { message: "The server is going down: connect again." },
    ])
    expect(await upgradeStatusOf(url)).toBe(403)
  })

  test("sees the server end when it has drained, and clients were asked to leave", async () => {
    const server = spawnServer(draining("1"))
    const client = await join(await readyUrl(server))
    const goodbye = new Promise((done) => client.socket.once("goodbye", done))
    server.child.kill("SIGTERM")
    expect(await goodbye).toEqual({ code: "shutting-down", message: expect.any(String) })
    expect(await server.ended).toBe(0)
  })
})

/** A server that waits for a timeout of ten seconds or more would wait for longer than a test may take. */
const endless = `const { setTimeout } = globalThis
  globalThis.setTimeout = (task, ms, ...rest) => setTimeout(task, ms < ${RELAY_ANSWER_TIMEOUT_MS / 2} ? ms : 2 ** 31 - 1, ...rest)`
const stoppable = () => ({
  PORT: "0",
  DATA_DIR: freshDirectory(),
  WEB_DIR: "none",
  LOG_LEVEL: "error",
  METRICS_TOKEN: TOKEN,
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(endless)}`,
})

test("stops without waiting when clients keep their connections open", async () => {
  const server = spawnServer(stoppable())
  const url = await readyUrl(server)
  const { hostname, port } = new URL(url)
  // One who has connected and says nothing, one who has begun a request, one who reads nothing.
  const silent = connect(Number(port), hostname)
  const slow = connect(Number(port), hostname)
  slow.write("GET / HTTP/1.1\r\n")
  const [deaf, givenUp] = [await join(url), await join(url)]
  // @ts-expect-error -- Node's engine keeps its WebSocket to itself.
  const sockets = [deaf, givenUp].map(({ socket }) => socket.io.engine.transport.ws)
  sockets[1].send("4x")
  for (const { _socket } of sockets) _socket.pause()
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const metrics = async () => (await fetch(`${url}/metrics`, { headers })).text()
  await until(async () => expect(await metrics()).toMatch(/^keymoot_connections 1$/mu))
  for (const socket of [silent, slow]) {
    onTestFinished(() => void socket.destroy())
    socket.on("error", () => {})
  }
  server.child.kill("SIGTERM")
  // Vitest's own limit for a test is what a server that waits would meet.
  expect(await server.ended).toBe(0)
})

test("stops without waiting when a relayed frame has no answer", async () => {
  const server = spawnServer(stoppable())
  const url = await readyUrl(server)
  const room = await createRoom(await join(url))
  const [alice, bob] = [await enterRoom(url, room), await enterRoom(url, room)]
  const handed = new Promise((done) => bob.socket.once("relay", done))
  alice.ask("relay", { room, to: bob.address, frame: bytesOf("x") }).catch(() => {})
  await handed
  server.child.kill("SIGTERM")
  expect(await server.ended).toBe(0)
})

test("debug logs name no participant, conference or address, even when the store fails", async () => {
  const dataDir = freshDirectory()
  const server = spawnServer({
    PORT: "0",
    DATA_DIR: dataDir,
    WEB_DIR: "none",
    LOG_LEVEL: "trace",
    TRUST_PROXY: "1",
    METRICS_TOKEN: TOKEN,
  })
  const url = await readyUrl(server)
  const client = await join(url)
  const ada = person("Ada Lovelace")
  await prove(client, ada, url, "participant:add")
  const stored = creation(bytesOf("Magrathea"))
  const { id } = stored
  const roster = { members: [ada.fingerprint], startsAtMs: Date.now(), endsAtMs: inAnHour() - 1_000 }
  await client.ask("conference:create", { ...stored, roster })
  const member = await enterRoom(url, id)
  await member.ask("signal", { room: id, to: member.address, envelope: bytesOf("a towel") })
  await client.ask("participant:list", { prefix: "ada love" })
  await fetch(`${url}/c/${id}?secret`, { headers: { "X-Forwarded-For": "203.0.113.77" } })

  // Databases quote in their errors what they were given.
  const saboteur = new DatabaseSync(`${dataDir}/keymoot.db`)
  saboteur.exec("CREATE TRIGGER quoting BEFORE INSERT ON conference BEGIN SELECT RAISE(ABORT, 'no ' || NEW.id); END")
  const refusedOne = creation(bytesOf("Magrathea, again"))
  const quoted = refusedOne.id
  expect(await client.ask("conference:create", refusedOne)).toMatchObject({ code: "storage-failed" })
  for (const table of ["conference", "participant"]) saboteur.exec(`ALTER TABLE ${table} RENAME TO hidden_${table}`)
  saboteur.close()
  for (const reply of [
    await client.ask("conference:get", { id }),
    await client.ask("participant:get", { fingerprint: ada.fingerprint }),
    await client.ask("participant:list", { prefix: "ada love" }),
    await client.ask("conference:create", stored),
  ]) {
    expect(reply).toMatchObject({ code: "storage-failed" })
  }
  for (let count = 0; count < 200; count++) client.socket.emit("no:such:request", "some words")
  await until(() => expect(client.socket.connected).toBe(false))
  server.child.kill("SIGTERM")
  await server.ended
  const logs = server.errors()
  expect(logs).toContain("the store failed")
  expect(logs).toContain("flooding")
  const secrets = [
    id,
    quoted,
    member.address,
    ada.fingerprint,
    "lovelace",
    "magrathea",
    "towel",
    "some words",
    "203.0.113",
    "127.0.0.1",
  ]
  for (const secret of [...secrets, TOKEN, Buffer.from(ada.certificate).toString("base64").slice(20, 60)]) {
    expect(logs.toLowerCase(), secret).not.toContain(secret.toLowerCase())
  }
})

describe("whoever configures the server", () => {
  test("hears of each value what is wrong with it, and never reads a secret there", () => {
    for (const [name, value] of [
      ["PUBLIC_ORIGIN", "meet.example"],
      ["EMBED_ORIGINS", "*"],
      ["EMBED_ORIGINS", "https://*.example"],
      ["EMBED_ORIGINS", "http://shop.example"],
      ["EMBED_ORIGINS", "https://shop.example/"],
      ["EMBED_ORIGINS", "https://a.example;script-src"],
      ["EMBED_ORIGINS", Array(17).fill("https://a.example").join(",")],
      ["PUBLIC_ORIGIN", "https://meet.example/"],
      ["PUBLIC_ORIGIN", "https://meet.example,ftp://meet.example"],
      ["TRUST_PROXY", "yes"],
      ["TRUST_PROXY", "9"],
      ["ADDRESS_SCALE", "0"],
      ["DRAIN_SECONDS", "1.5"],
    ] as const) {
      const quoted = value.replaceAll(/[.*?]/gu, "\\$&")
      expect(() => configFromEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} must be .*"${quoted}"`, "u"))
    }
    for (const [name, value] of [
      ["DATABASE_URL", "mysql://keymoot:secret@localhost/keymoot"],
      ["METRICS_TOKEN", "too short"],
      ["METRICS_TOKEN", "a token of several words"],
    ] as const) {
      const read = () => configFromEnvironment({ [name]: value })
      expect(read).toThrow(new RegExp(`^${name} must be `, "u"))
      expect(read).not.toThrow(value)
    }
    expect(
      configFromEnvironment({
        DATABASE_URL: "postgres://db/keymoot",
        PUBLIC_ORIGIN: "https://meet.example, https://meet.example:8443",
        EMBED_ORIGINS: "https://shop.example, http://localhost:8000",
        TRUST_PROXY: "1",
        ADDRESS_SCALE: "20",
        DRAIN_SECONDS: "5",
        METRICS_TOKEN: TOKEN,
      }),
    ).toMatchObject({
      databaseUrl: "postgres://db/keymoot",
      publicOrigins: ["https://meet.example", "https://meet.example:8443"],
      embedOrigins: ["https://shop.example", "http://localhost:8000"],
      trustedProxies: 1,
      addressScale: 20,
      drainMs: 5_000,
      metricsToken: TOKEN,
    })
  })

  test("finds every setting in the help", () => {
    const names = helpText()
      .split("\n")
      .flatMap((line) => /^ {2}([A-Z_]+) /u.exec(line)?.[1] ?? [])
    expect(names).toEqual([
      "PORT",
      "HOST",
      "DATA_DIR",
      "WEB_DIR",
      "DATABASE_URL",
      "REDIS_URL",
      "TURN_URLS",
      "TURN_SECRET",
      "STUN_PORT",
      "STUN_URL",
      "STUN_URLS",
      "PUBLIC_ORIGIN",
      "EMBED_ORIGINS",
      "TRUST_PROXY",
      "ADDRESS_SCALE",
      "METRICS_TOKEN",
      "DRAIN_SECONDS",
      "LOG_LEVEL",
    ])
  })

  test("reads one sentence when the database is away or locked, and never the password", async () => {
    const away = spawnServer({
      DATABASE_URL: "postgres://keymoot:secret@127.0.0.1:1/keymoot",
      WEB_DIR: "none",
      PORT: "0",
    })
    expect(await away.ended).toBe(1)
    expect(away.errors()).toMatch(/^The database named by DATABASE_URL cannot be opened: [^\n]*ECONNREFUSED[^\n]*\n$/u)
    expect(away.errors()).not.toContain("secret")

    const environment = { PORT: "0", DATA_DIR: freshDirectory(), WEB_DIR: "none" }
    const first = spawnServer(environment)
    await readyUrl(first)
    const second = spawnServer(environment)
    expect(await second.ended).toBe(1)
    expect(second.errors()).toMatch(/^Another Keymoot server uses the data in [^\n]*DATA_DIR[^\n]*DATABASE_URL\.\n$/u)
    first.child.kill("SIGKILL")
    await first.ended
    await readyUrl(spawnServer(environment))
  })
})
