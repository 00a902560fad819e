/** Clients that attack the part of the server that joins several processes. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { Redis as RedisClient } from "ioredis"
import { pino } from "pino"
import { Server } from "socket.io"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { sharesOf } from "../src/addresses/addresses.ts"
import { LIMITS } from "../src/bounds/limits.ts"
import { openCluster } from "../src/cluster/cluster.ts"
import { bytesOf, createRoom, enterRoom, join, serve, until } from "./clients.ts"
import { needServices } from "./needed-services.ts"
import { readyUrl, spawnServer } from "./processes.ts"

const { isMissing, services } = needServices("attacks on several processes")

/** Socket.IO at one process of the cluster. Every connection is in the channel "here". */
async function socketsOfProcess() {
  const cluster = await openCluster(
    services.redis.url,
    sharesOf(LIMITS, 1),
    LIMITS.redisAnswerMs,
    pino({ enabled: false }),
  )
  const http = createServer()
  const server = new Server(http, { path: SIGNALING_PATH, ...cluster.options })
  server.on("connection", (socket) => void socket.join("here"))
  await new Promise<void>((done) => void http.listen(0, "127.0.0.1", done))
  onTestFinished(async () => {
    await server.close()
    await cluster.close()
  })
  return { server, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

describe.skipIf(isMissing)("the receiver of a frame from another process", () => {
  test("ends no process when its answer is nested too deeply for Redis", async () => {
    const database = services.postgres.freshDatabase()
    const { url } = await serve({ databaseUrl: database, redisUrl: services.redis.url })
    const settings = { DATABASE_URL: database, REDIS_URL: services.redis.url, WEB_DIR: "none", PORT: "0" }
    const attacked = spawnServer(settings)
    const other = await readyUrl(attacked)
    const room = await createRoom(await join(url))
    const [sender, receiver, bystander] = [await enterRoom(url, room), await enterRoom(other, room), await join(other)]
    const nested = JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`) as unknown
    receiver.socket.on("relay", (_frame: unknown, answer: (said: unknown) => void) => answer(nested))
    const frame = { room, to: receiver.address, frame: bytesOf("x") }
    expect(await sender.ask("relay", frame)).toMatchObject({ ok: false, code: "relay-refused" })
    expect(await bystander.ask("conference:get", { id: room })).toMatchObject({ ok: true })
    expect(attacked.child.exitCode).toBe(null)
  })

  test("costs both processes no memory and no search when it never answers", async () => {
    const [one, other] = [await socketsOfProcess(), await socketsOfProcess()]
    const silent = await join(other.url)
    let frames = 0
    silent.socket.on("relay", () => (frames += 1))
    const [receiver] = other.server.sockets.sockets.values()
    // Socket.IO's types hide the callbacks, which refer to the frames.
    const { acks } = receiver as unknown as { readonly acks: Map<number, unknown> }
    const searches = vi.spyOn(one.server.sockets.sockets, "forEach")
    const send = () =>
      one.server
        .to("here")
        .timeout(2_000)
        .emitWithAck("relay", { frame: bytesOf("x") })
    // Until the processes know each other, the receiver is not asked.
    await until(async () => {
      await expect(send()).rejects.toThrow("timed out")
      expect(frames).toBeGreaterThan(0)
    })
    expect(searches).not.toHaveBeenCalled()
    await until(() => expect(acks.size).toBe(0))
  })
})

test.skipIf(isMissing)("a flooder hears the reason at once, and not again when it returns", async () => {
  const config = { databaseUrl: services.postgres.freshDatabase(), redisUrl: services.redis.url }
  const { url } = await serve(config, { nuisances: { burst: 0, perSecond: 0 } })
  const { socket } = await join(url)
  const reasons: unknown[] = []
  socket.on("goodbye", (reason: unknown) => reasons.push(reason))
  const gone = new Promise((done) => socket.once("disconnect", done))
  const client = new RedisClient(services.redis.url)
  onTestFinished(() => client.disconnect())
  const before = await client.xlen("keymoot:packets")
  socket.emit("no:such:request")
  await gone
  expect(reasons).toEqual([{ code: "flooding", message: expect.any(String) }])
  // A recovered connection gets the packets that Redis stores.
  expect(await client.xlen("keymoot:packets")).toBe(before)
})
