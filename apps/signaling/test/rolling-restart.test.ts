/** Two processes behind the nginx of deploy/, restarted one after the other and then once more, as an upgrade does it. */
import {
  findService,
  freePort,
  howToInstall,
  type Service,
  startNginx,
  startPostgres,
  startRedis,
} from "@keymoot/tools"
import { SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { io } from "socket.io-client"
import { describe, expect, onTestFinished, test } from "vitest"
import { ANSWER_TIMEOUT_MS, bytesOf, createRoom, freshHex, join, textOf, until } from "./clients.ts"
import { proofOf } from "./invitation.ts"
import { readyUrl, spawnServer } from "./processes.ts"

const CLIENTS = 20
const METRICS_TOKEN = "only-for-this-test"
const needed: readonly Service[] = ["nginx", "redis-server", "postgres"]
const lacking = needed.find((service) => findService(service) === null)
if (lacking !== undefined) console.log(`Skipped: a rolling restart behind nginx. ${howToInstall(lacking)}.`)

/** Two processes that share PostgreSQL and Redis, and the front. */
async function startCluster(settings: Record<string, string> = {}) {
  const redis = await startRedis()
  onTestFinished(() => redis.kill())
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const shared = { DATABASE_URL: postgres.freshDatabase(), REDIS_URL: redis.url, TRUST_PROXY: "1", ...settings }
  const ports = [await freePort(), await freePort()] as const
  const spawned = (port: number) => spawnServer({ ...shared, WEB_DIR: "none", LOG_LEVEL: "error", PORT: String(port) })
  const servers = ports.map(spawned)
  for (const server of servers) await readyUrl(server)
  const nginx = await startNginx([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`])
  onTestFinished(() => nginx.stop())
  const stop = async (index: 0 | 1, signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
    servers[index]!.child.kill(signal)
    await servers[index]!.ended
  }
  const start = async (index: 0 | 1) => {
    servers[index] = spawned(ports[index])
    await readyUrl(servers[index]!)
  }
  const isReady = (index: 0 | 1) => fetch(`http://127.0.0.1:${ports[index]}/readyz`).then(({ ok }) => ok)
  const drain = async (index: 0 | 1) => {
    servers[index]!.child.kill("SIGTERM")
    await until(async () => expect(await isReady(index)).toBe(false))
  }
  return { url: nginx.url, stop, start, drain }
}

/** A client that comes back by itself over one transport, and enters its room anew where its session is not known. */
async function steadyClient(url: string, transport: "websocket" | "polling", room: string) {
  const socket = io(url, { path: SIGNALING_PATH, transports: [transport], forceNew: true, reconnectionDelay: 50 })
  onTestFinished(() => void socket.close())
  const address = freshHex()
  const client = { socket, address, received: [] as string[], turnedAway: 0, entered: false }
  socket.on("signal", ({ envelope }: { envelope: Uint8Array }) => client.received.push(textOf(envelope)))
  socket.on("connect_error", () => (client.turnedAway += 1))
  socket.on("disconnect", () => (client.entered = false))
  socket.on("connect", async () => {
    const enter = () => socket.emitWithAck("room:enter", { room, address, proof: proofOf(socket, room, address) })
    client.entered =
      socket.recovered ||
      (await enter().then(
        ({ ok }: { readonly ok: boolean }) => ok,
        () => false,
      ))
  })
  await until(() => expect(client.entered).toBe(true))
  return client
}

describe.skipIf(lacking !== undefined).each(["websocket", "polling"] as const)("clients over %s", (transport) => {
  test("are served through a second rolling restart", async () => {
    const { url, stop, start } = await startCluster({ METRICS_TOKEN })
    const forPrometheus = { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } }
    expect((await fetch(`${url}/metrics`, forPrometheus)).status).toBe(404)
    const room = await createRoom(await join(url))
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => steadyClient(url, transport, room)))
    /** By receiver. */
    const acknowledged = clients.map((): string[] => [])
    const signal = async (from: number, to: number, text: string) => {
      const request = { room, to: clients[to]!.address, envelope: bytesOf(text) }
      // An answer may be lost with its connection: then nothing was promised.
      const asked = clients[from]!.socket.timeout(ANSWER_TIMEOUT_MS).emitWithAck("signal", request)
      const reply = (await asked.catch(() => null)) as { readonly ok: boolean } | null
      if (reply?.ok) acknowledged[to]!.push(text)
    }
    const signalRound = (name: string) =>
      Promise.all(clients.map((_, from) => signal(from, (from + 1) % CLIENTS, `${name} from ${from}`)))
    await signalRound("before")
    for (const index of [0, 1, 0, 1] as const) {
      const restarted = stop(index).then(() => start(index))
      await signalRound(`during ${index}`)
      await restarted
      await until(() => expect(clients.every(({ entered }) => entered)).toBe(true))
      await signalRound(`after ${index}`)
    }
    expect(acknowledged.flat().length).toBeGreaterThanOrEqual(CLIENTS * 5)
    // Long polling enters anew, and misses what was sent meanwhile: docs/self-hosting.md says so.
    const kept = (text: string) => transport === "websocket" || !text.startsWith("during")
    for (const [index, { received }] of clients.entries()) {
      await until(() => expect(received).toEqual(expect.arrayContaining(acknowledged[index]!.filter(kept))))
    }
    // The front has another process for each of them, so it turns nobody away.
    expect(clients.filter(({ turnedAway }) => turnedAway > 0)).toEqual([])
  })
})

// The front sends all polls of one network address to one process, which may not be the one with the session. So each
// of the two has its turn.
describe.skipIf(lacking !== undefined)("a client over polling", () => {
  test("keeps its session when another process starts", async () => {
    const { url, stop, start } = await startCluster({ METRICS_TOKEN })
    const forPrometheus = { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } }
    expect((await fetch(`${url}/metrics`, forPrometheus)).status).toBe(404)
    const room = await createRoom(await join(url))
    for (const other of [1, 0] as const) {
      await stop(other)
      const client = await steadyClient(url, "polling", room)
      const session = client.socket.id
      await start(other)
      for (const text of ["one", "two", "three"]) {
        const request = { room, to: client.address, envelope: bytesOf(text) }
        const answer = client.socket.timeout(ANSWER_TIMEOUT_MS).emitWithAck("signal", request)
        expect(await answer).toEqual({ ok: true })
      }
      await until(() => expect(client.received).toEqual(["one", "two", "three"]))
      expect([client.socket.id, client.turnedAway]).toEqual([session, 0])
    }
  })

  test("is let in while another process drains", async () => {
    const { url, stop, start, drain } = await startCluster({ DRAIN_SECONDS: "600" })
    const room = await createRoom(await join(url))
    for (const other of [0, 1] as const) {
      await drain(other)
      const client = await steadyClient(url, "polling", room)
      expect([client.turnedAway, client.socket.connected]).toEqual([0, true])
      await stop(other, "SIGKILL")
      await start(other)
    }
  })
})
