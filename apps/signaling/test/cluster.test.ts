import { type AddressInfo, connect, createServer } from "node:net"
import { pipeline } from "node:stream"
import { createBootstrap, type BootstrapEvent, type RoomAddress } from "@keymoot/transport/host"
import {
  findService,
  howToInstall,
  type Postgres,
  type Redis,
  type Service,
  startPostgres,
  startRedis,
} from "@keymoot/tools"
import { Redis as RedisClient } from "ioredis"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { RedisAddresses } from "../src/cluster/redis-addresses.ts"
import { bytesOf, createRoom, enterRoom, freshHex, join, serve, textOf, until } from "./clients.ts"
import { freshDirectory } from "./files.ts"
import { readyUrl, spawnServer } from "./processes.ts"

const needed: readonly Service[] = ["redis-server", "postgres"]
const lacking = needed.find((service) => findService(service) === null)
const missing = lacking !== undefined
if (missing) console.log(`Skipped: several processes. ${howToInstall(lacking)}.`)

let redis: Redis
let postgres: Postgres
beforeAll(async () => {
  if (missing) return
  redis = await startRedis()
  postgres = await startPostgres()
})
afterAll(async () => {
  await redis?.kill()
  await postgres?.stop()
})

/** Two servers of one cluster and one room, entered by a client of each. */
async function two(limits = {}) {
  const config = { databaseUrl: postgres.freshDatabase(), redisUrl: redis.url }
  const [one, other] = [await serve(config, limits), await serve(config, limits)]
  const room = await createRoom(await join(one.url))
  return { one: one.url, other: other.url, room }
}

describe.skipIf(missing)("members at two processes", () => {
  test("hear each other's advertisements and signals, in order", async () => {
    const { one, other, room } = await two()
    const [alice, bob] = [await enterRoom(one, room), await enterRoom(other, room)]
    await alice.ask("room:advertise", { room, advertisement: bytesOf("here") })
    await until(() => expect(bob.advertisements.map(({ from }) => from)).toEqual([alice.address]))
    const sent = Array.from({ length: 50 }, (_, number) => `signal ${number}`)
    const replies = sent.map((text) => bob.ask("signal", { room, to: alice.address, envelope: bytesOf(text) }))
    expect(await Promise.all(replies)).toEqual(sent.map(() => ({ ok: true })))
    await until(() => expect(alice.signals.map(({ envelope }) => textOf(envelope))).toEqual(sent))
    expect(bob.signals).toEqual([])
  })

  test("cannot take each other's address, and hear that nobody is at one that was left", async () => {
    const { one, other, room } = await two()
    const alice = await enterRoom(one, room)
    const bob = await enterRoom(other, room)
    const thief = await join(other)
    expect(await thief.ask("room:enter", { room, address: alice.address })).toMatchObject({ code: "address-taken" })
    const signal = { room, to: alice.address, envelope: bytesOf("x") }
    await alice.ask("room:leave", { room })
    expect(await bob.ask("signal", signal)).toMatchObject({ ok: false, code: "unknown-address" })
    expect(await thief.ask("room:enter", { room, address: alice.address })).toEqual({ ok: true })
  })

  test("who say good-bye free their address at once", async () => {
    const { one, other, room } = await two()
    const [alice, bob] = [await enterRoom(one, room), await enterRoom(other, room)]
    alice.socket.disconnect()
    const signal = { room, to: alice.address, envelope: bytesOf("x") }
    await until(async () => expect(await bob.ask("signal", signal)).toMatchObject({ code: "unknown-address" }))
  })

  test("who enter under one address at the same time do not both get it", async () => {
    const { one, other, room } = await two()
    const clients = [await join(one), await join(other)]
    for (let round = 0; round < 20; round++) {
      const address = freshHex()
      const replies = await Promise.all(clients.map((client) => client.ask("room:enter", { room, address })))
      expect(replies.filter(({ ok }) => ok).length).toBe(1)
    }
  })

  test("fill one room together, and may enter a full one again", async () => {
    const { one, other, room } = await two({ membersPerRoomMax: 2 })
    const alice = await enterRoom(one, room)
    await enterRoom(other, room)
    const late = await join(other)
    expect(await late.ask("room:enter", { room, address: freshHex() })).toMatchObject({ code: "room-full" })
    expect(await alice.ask("room:enter", { room, address: freshHex() })).toEqual({ ok: true })
    await alice.ask("room:leave", { room })
    expect(await late.ask("room:enter", { room, address: freshHex() })).toEqual({ ok: true })
  })

  test("relay frames to each other, in order, and each hears what the other end says", async () => {
    const { one, other, room } = await two()
    const [alice, bob] = [await enterRoom(one, room), await enterRoom(other, room)]
    const frames: string[] = []
    bob.socket.on("relay", ({ frame }: { frame: Uint8Array }, answer: (said: unknown) => void) => {
      frames.push(textOf(frame))
      answer({ taken: frames.length <= 50 })
    })
    const relay = (to: string, text: string) => alice.ask("relay", { room, to, frame: bytesOf(text) })
    const sent = Array.from({ length: 50 }, (_, number) => `frame ${number}`)
    const replies = await Promise.all(sent.map((text) => relay(bob.address, text)))
    expect(replies).toEqual(sent.map(() => ({ ok: true })))
    expect(frames).toEqual(sent)
    expect(await relay(bob.address, "one too many")).toMatchObject({ code: "relay-refused" })
    expect(await relay(freshHex(), "x")).toMatchObject({ code: "unknown-address" })
  })
})

describe.skipIf(missing)("the addresses of a process that died", () => {
  // Of the renewals in it two may be late by most of a second.
  const leaseMs = 2_000
  const connected = () => {
    const client = new RedisClient(redis.url)
    onTestFinished(() => client.disconnect())
    return client
  }
  const open = (members = 10) => {
    const addresses = new RedisAddresses(connected(), members, { leaseMs, recoveryMs: leaseMs })
    onTestFinished(() => addresses.close())
    return addresses
  }

  test("are free again when their lease has run out, and fill no room any longer", async () => {
    const [dead, living] = [open(1), open(1)]
    const [room, address] = [freshHex(), freshHex()]
    await dead.take({ room, address, holder: "a" }, undefined)
    expect(await living.isHeld(room, address)).toBe(true)
    expect(await living.take({ room, address, holder: "b" }, undefined)).toBe("address-taken")
    expect(await living.take({ room, address: freshHex(), holder: "b" }, undefined)).toBe("room-full")
    dead.close()
    await until(async () => expect(await living.isHeld(room, address)).toBe(false))
    expect(await living.take({ room, address: freshHex(), holder: "b" }, undefined)).toBe("taken")
  })

  test("and only these: who lives renews the lease", async () => {
    const [one, other] = [open(), open()]
    const entry = { room: freshHex(), address: freshHex(), holder: "a" }
    await one.take(entry, undefined)
    const client = connected()
    const expiryMs = async () => Number((await client.hget(`keymoot:room:${entry.room}`, entry.address))!.split(" ")[1])
    const withoutRenewalMs = await expiryMs()
    await until(async () => expect(await expiryMs()).toBeGreaterThan(withoutRenewalMs + leaseMs))
    // A busy machine may be late with a renewal, but not for good.
    await until(async () => expect(await other.isHeld(entry.room, entry.address)).toBe(true))
  })
})

/** A member's end as the conference has it, at whichever server is at the address. */
function member(server: string) {
  const events: BootstrapEvent[] = []
  const bootstrap = createBootstrap((event) => events.push(event))
  onTestFinished(() => bootstrap.close())
  bootstrap.post({ type: "bootstrap-connect", server })
  const address = freshHex() as RoomAddress
  const enter = async (room: string) => {
    bootstrap.post({ type: "room-enter", server, request: 1, room, address })
    await until(() => expect(events).toContainEqual(expect.objectContaining({ request: 1, reply: { ok: true } })))
  }
  const signals = () => events.flatMap((event) => (event.type === "room-signal" ? [textOf(event.envelope)] : []))
  const states = () => events.flatMap((event) => (event.type === "bootstrap-state" ? [event.state] : []))
  return { ...bootstrap, events, address, enter, signals, states }
}

/** A load balancer that leads where it is told, or nowhere. */
async function startFront(to: string) {
  let target: string | null = to
  let open = 0
  const front = createServer((socket) => {
    if (target === null) return socket.destroy()
    open += 1
    const onward = connect(Number(new URL(target).port), "127.0.0.1")
    pipeline(socket, onward, socket, () => (open -= 1))
  })
  await new Promise<void>((done) => void front.listen(0, "127.0.0.1", done))
  onTestFinished(() => void front.close())
  const { port } = front.address() as AddressInfo
  return { url: `http://localhost:${port}`, lead: (next: string | null) => void (target = next), open: () => open }
}

describe.skipIf(missing)("a member whose process stops", () => {
  test("goes on at the next with its address, and has missed nothing", async () => {
    const shared = { DATABASE_URL: postgres.freshDatabase(), REDIS_URL: redis.url }
    const environment = { ...shared, WEB_DIR: "none", LOG_LEVEL: "error" }
    const first = spawnServer({ ...environment, PORT: "0" })
    const front = await startFront(await readyUrl(first))
    const { url } = front
    const second = await readyUrl(spawnServer({ ...environment, PORT: "0" }))
    const room = await createRoom(await join(second))
    const alice = member(url)
    await alice.enter(room)
    const bob = await enterRoom(second, room)
    const signal = async (text: string) =>
      expect(await bob.ask("signal", { room, to: alice.address, envelope: bytesOf(text) })).toEqual({ ok: true })
    await signal("before")
    await until(() => expect(alice.signals()).toEqual(["before"]))

    front.lead(null)
    first.child.kill("SIGTERM")
    await until(() => expect(front.open()).toBe(0))
    await signal("while away")
    // Said while away, too, and not lost.
    alice.post({ type: "room-signal", server: url, room, to: bob.address as RoomAddress, envelope: bytesOf("hello") })
    front.lead(second)
    await until(() => expect(alice.signals()).toEqual(["before", "while away"]))
    await signal("after")
    await until(() => expect(alice.signals()).toEqual(["before", "while away", "after"]))
    await until(() => expect(bob.signals.map(({ envelope }) => textOf(envelope))).toEqual(["hello"]))
    expect(alice.states()).toEqual(["up"])
  })
})

describe.skipIf(missing)("without Redis", () => {
  test("a process goes on and says that it cannot, and does again what it is for when Redis is back", async () => {
    const shortLived = await startRedis()
    onTestFinished(() => shortLived.kill())
    const shared = { DATABASE_URL: postgres.freshDatabase(), REDIS_URL: shortLived.url }
    const environment = { ...shared, WEB_DIR: "none", LOG_LEVEL: "warn" }
    const server = spawnServer({ ...environment, PORT: "0" })
    const url = await readyUrl(server)
    const room = await createRoom(await join(url))
    const [alice, bob, carol] = [await enterRoom(url, room), await enterRoom(url, room), await enterRoom(url, room)]
    await shortLived.kill()
    const entry = { room, address: freshHex() }
    expect(await (await join(url)).ask("room:enter", entry)).toMatchObject({ ok: false, code: "storage-failed" })
    // Each of these lets the adapter write to Redis.
    carol.socket.io.engine.close()
    await alice.ask("room:advertise", { room, advertisement: bytesOf("lost") })
    await alice.ask("relay", { room, to: freshHex(), frame: bytesOf("x") })
    expect(await bob.ask("room:leave", { room })).toMatchObject({ ok: false, code: "storage-failed" })
    expect(await alice.ask("conference:get", { id: room })).toMatchObject({ ok: true })

    await shortLived.start()
    const other = await readyUrl(spawnServer({ ...environment, PORT: "0" }))
    await until(async () => expect(await bob.ask("room:enter", entry)).toEqual({ ok: true }))
    const dave = await enterRoom(other, room)
    const signal = { room, to: entry.address, envelope: bytesOf("found") }
    expect(await dave.ask("signal", signal)).toEqual({ ok: true })
    await until(() => expect(bob.signals.map(({ envelope }) => textOf(envelope))).toEqual(["found"]))
    expect(server.child.exitCode).toBe(null)
  })

  test("whoever starts a process hears so in one sentence", async () => {
    const server = spawnServer({ DATA_DIR: freshDirectory(), REDIS_URL: "redis://127.0.0.1:1", WEB_DIR: "none" })
    expect(await server.ended).toBe(1)
    expect(server.errors()).toMatch(/^Redis at REDIS_URL cannot be reached: .*\.\n$/u)
  })
})
