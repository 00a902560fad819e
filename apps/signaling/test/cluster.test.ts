import { type AddressInfo, connect, createServer } from "node:net"
import { pipeline } from "node:stream"
import { createBootstrap, type BootstrapEvent, type RoomAddress } from "@keymoot/transport/host"
import { type Redis, startRedis } from "@keymoot/tools"
import { Redis as RedisClient } from "ioredis"
import { describe, expect, onTestFinished, test } from "vitest"
import { sharesOf } from "../src/addresses/addresses.ts"
import { RedisAddresses } from "../src/cluster/redis-addresses.ts"
import type { ServerConfig } from "../src/config.ts"
import { LIMITS } from "../src/bounds/limits.ts"
import { bytesOf, type Client, createRoom, enter, enterRoom, freshHex, join, serve, textOf, until } from "./clients.ts"
import { freshDirectory } from "./files.ts"
import { needServices } from "./needed-services.ts"
import { readyUrl, spawnServer } from "./processes.ts"

const { isMissing, services } = needServices("several processes")

const member = { proven: true, network: "192.0.2.1" }

/** Two servers of one cluster and one room, entered by a client of each. */
async function two(limits = {}, more: ServerConfig = {}) {
  const config = { databaseUrl: services.postgres.freshDatabase(), redisUrl: services.redis.url, ...more }
  const [one, other] = [await serve(config, limits), await serve(config, limits)]
  const room = await createRoom(await join(one.url))
  return { one: one.url, other: other.url, room }
}

describe.skipIf(isMissing)("members at two processes", () => {
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

  test("pay for receivers at the other process, too, when they advertise", async () => {
    const [bytes, passed] = [1_000, 3]
    const { one, other, room } = await two({ fanOut: { burst: passed * 6 * bytes, perSecond: 0.001 } })
    const sender = await enterRoom(one, room)
    await Promise.all(Array.from({ length: 5 }, () => enterRoom(other, room)))
    const advertise = () => sender.ask("room:advertise", { room, advertisement: new Uint8Array(bytes) })
    const replies = await Promise.all(Array.from({ length: 10 * passed }, advertise))
    expect(replies.filter(({ ok }) => ok).length).toBe(passed)
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

  test("free their addresses at once when they leave", async () => {
    const { one, other, room } = await two()
    const [alice, bob] = [await enterRoom(one, room), await enterRoom(other, room)]
    alice.socket.disconnect()
    const signal = { room, to: alice.address, envelope: bytesOf("x") }
    await until(async () => expect(await bob.ask("signal", signal)).toMatchObject({ code: "unknown-address" }))
  })

  test("do not both get one address when they enter at the same time", async () => {
    const { one, other, room } = await two()
    const clients = [await join(one), await join(other)]
    for (let round = 0; round < 20; round++) {
      const address = freshHex()
      const replies = await Promise.all(clients.map((client) => client.ask("room:enter", { room, address })))
      expect(replies.filter(({ ok }) => ok).length).toBe(1)
    }
  })

  test("fill one room together, and may enter a full one again", async () => {
    const { one, other, room } = await two({ provenPerRoomMax: 2 })
    const alice = await enterRoom(one, room)
    await enterRoom(other, room)
    const late = await join(other)
    expect(await enter(late, room)).toMatchObject({ code: "room-full" })
    expect(await enter(alice, room)).toEqual({ ok: true })
    await alice.ask("room:leave", { room })
    expect(await enter(late, room)).toEqual({ ok: true })
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

  test("do not take each other for absent while a lost connection may be recovered", async () => {
    const { one, other, room } = await two()
    const [alice, bob] = [await enterRoom(one, room), await enterRoom(other, room)]
    const client = new RedisClient(services.redis.url)
    onTestFinished(() => client.disconnect())
    bob.socket.io.engine.close()
    await until(async () => expect(await client.hget(`keymoot:room:${room}`, bob.address)).toMatch(/left$/u))
    const frame = { room, to: bob.address, frame: bytesOf("x") }
    expect(await alice.ask("relay", frame)).toMatchObject({ ok: false, code: "relay-refused" })
  })

  test("store no frame in Redis when both are at one process", async () => {
    const { one, room } = await two()
    const [alice, bob] = [await enterRoom(one, room), await enterRoom(one, room)]
    const client = new RedisClient(services.redis.url)
    onTestFinished(() => client.disconnect())
    bob.socket.on("relay", (_frame: unknown, answer: (said: unknown) => void) => answer({ taken: true }))
    const before = await client.xlen("keymoot:packets")
    expect(await alice.ask("relay", { room, to: bob.address, frame: bytesOf("x") })).toEqual({ ok: true })
    expect(await client.xlen("keymoot:packets")).toBe(before)
  })
})

describe.skipIf(isMissing)("the addresses of a process that died", () => {
  // Two renewals within a lease may each be late by most of a second.
  const leaseMs = 2_000
  const connected = () => {
    const client = new RedisClient(services.redis.url)
    onTestFinished(() => client.disconnect())
    return client
  }
  const open = (members = 10) => {
    const shares = sharesOf({ ...LIMITS, provenPerRoomMax: members }, 1)
    const addresses = new RedisAddresses(connected(), shares, { leaseMs, recoveryMs: leaseMs })
    onTestFinished(() => addresses.close())
    return addresses
  }

  test("are free again when their lease has run out, and fill no room any longer", async () => {
    const [dead, living] = [open(1), open(1)]
    const [room, address] = [freshHex(), freshHex()]
    const other = { room, address: freshHex(), holder: "b", ...member }
    await dead.take({ room, address, holder: "a", ...member }, undefined)
    expect(await living.isHeld(room, address)).toBe(true)
    expect(await living.take({ ...other, address }, undefined)).toBe("address-taken")
    expect(await living.take(other, undefined)).toBe("room-full")
    dead.close()
    await until(async () => expect(await living.isHeld(room, address)).toBe(false))
    expect(await living.take(other, undefined)).toBe("taken")
  })

  test("end their holder when their place has gone to another of its network", async () => {
    const [one, next] = [open(1), open(1)]
    const lost: string[] = []
    next.onLost((holder) => lost.push(holder))
    const entry = { room: freshHex(), address: freshHex(), holder: "a", ...member }
    await one.take(entry, undefined)
    await one.leave(entry)
    const stranger = { ...entry, address: freshHex(), holder: "b" }
    expect(await one.take({ ...stranger, network: "192.0.2.66" }, undefined)).toBe("room-full")
    expect(await one.take(stranger, undefined)).toBe("taken")
    next.adopt(entry)
    await until(() => expect(lost).toEqual(["a"]))
    expect(await next.isHeld(entry.room, entry.address)).toBe(false)
  })

  test("are not those of a live process, which renews its lease", async () => {
    const [one, other] = [open(), open()]
    const entry = { room: freshHex(), address: freshHex(), holder: "a", ...member }
    await one.take(entry, undefined)
    const client = connected()
    const expiryMs = async () => Number((await client.hget(`keymoot:room:${entry.room}`, entry.address))!.split(" ")[1])
    const withoutRenewalMs = await expiryMs()
    await until(async () => expect(await expiryMs()).toBeGreaterThan(withoutRenewalMs + leaseMs))
    // A busy machine may be late with a renewal, but not for good.
    await until(async () => expect(await other.isHeld(entry.room, entry.address)).toBe(true))
  })
})

test.skipIf(isMissing)("a lease given up while others are renewed stays given up", async () => {
  const client = new RedisClient(services.redis.url)
  onTestFinished(() => client.disconnect())
  const addresses = new RedisAddresses(client, sharesOf(LIMITS, 1), { leaseMs: 600_000, recoveryMs: 600_000 })
  onTestFinished(() => addresses.close())
  // One more than are renewed together.
  const entries = Array.from({ length: 501 }, () => ({ ...member, room: freshHex(), address: freshHex(), holder: "a" }))
  for (const entry of entries) addresses.adopt(entry)
  const last = entries.at(-1)!
  // A reconnection renews all leases.
  client.emit("ready")
  await addresses.give(last)
  // Redis answers in order: the second answer comes after everything that the first renewals have led to.
  await client.ping()
  await client.ping()
  expect(await addresses.isHeld(last.room, last.address)).toBe(false)
})

/** Leases of lost connections count for as long as their addresses are kept, so strangers need no open socket to hold them. */
describe.skipIf(isMissing)("a room that is entered and left by cutting the connection", () => {
  const from = (url: string, network: string) => join(url, "websocket", { "X-Forwarded-For": network })
  const cut = ({ socket }: Client) => void socket.io.engine.close()
  const leases = async (room: string) => {
    const client = new RedisClient(services.redis.url)
    onTestFinished(() => client.disconnect())
    return client.hgetall(`keymoot:room:${room}`)
  }

  test("admits a member when strangers have left hundreds of entries", async () => {
    const { one, other, room } = await two({}, { trustedProxies: 1 })
    const places = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const stranger = await from(index % 2 ? one : other, `192.0.2.${index % 4}`)
        const { ok } = await stranger.ask("room:enter", { room, address: freshHex() })
        cut(stranger)
        return ok
      }),
    )
    const perAddress = LIMITS.unprovenPerRoomAndAddressMax
    await until(async () =>
      expect(Object.values(await leases(room)).every((lease) => lease.endsWith("left"))).toBe(true),
    )
    const kept = Object.keys(await leases(room)).length
    expect([kept > 0, kept <= 4 * perAddress]).toEqual([true, true])
    expect(places.some((ok) => ok)).toBe(true)
    expect(await enter(await from(one, "192.0.2.1"), room)).toEqual({ ok: true })
    const elsewhere = await from(other, "192.0.2.9")
    expect(await elsewhere.ask("room:enter", { room, address: freshHex() })).toEqual({ ok: true })
  })

  test("does not give a member's place to a former member when the connection broke", async () => {
    const { one, other, room } = await two({ provenPerRoomMax: 2 }, { trustedProxies: 1 })
    const member = await from(one, "192.0.2.1")
    expect(await enter(member, room)).toEqual({ ok: true })
    const greedy = [await from(other, "192.0.2.66"), await from(other, "192.0.2.66")]
    expect(await enter(greedy[0]!, room)).toEqual({ ok: true })
    cut(member)
    await until(async () =>
      expect(Object.values(await leases(room)).some((lease) => lease.endsWith("left"))).toBe(true),
    )
    expect(await enter(greedy[1]!, room)).toMatchObject({ code: "room-full" })
    expect(await enter(await from(other, "192.0.2.1"), room)).toEqual({ ok: true })
    expect(await enter(greedy[1]!, room)).toMatchObject({ code: "room-full" })
  })

  test("shows no network address to Redis", async () => {
    const { one, room } = await two({}, { trustedProxies: 1 })
    expect(await enter(await from(one, "192.0.2.77"), room)).toEqual({ ok: true })
    expect(JSON.stringify(await leases(room))).not.toContain("192.0.2")
  })
})

/** A member's end as the conference has it, at whichever server is at the address. */
function memberAt(server: string) {
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

/** A load balancer with one target, or none. */
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

describe.skipIf(isMissing)("a member whose process stops", () => {
  test("continues at the next with its address, and has missed nothing", async () => {
    const shared = { DATABASE_URL: services.postgres.freshDatabase(), REDIS_URL: services.redis.url }
    const environment = { ...shared, WEB_DIR: "none", LOG_LEVEL: "error" }
    const first = spawnServer({ ...environment, PORT: "0" })
    const front = await startFront(await readyUrl(first))
    const { url } = front
    const second = await readyUrl(spawnServer({ ...environment, PORT: "0" }))
    const room = await createRoom(await join(second))
    const alice = memberAt(url)
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

async function ownRedis(): Promise<Redis> {
  const own = await startRedis()
  onTestFinished(() => own.kill())
  return own
}

describe.skipIf(isMissing)("while Redis hangs", () => {
  test("requests fail in time, and members continue when it answers again", async () => {
    const hanging = await ownRedis()
    const { one, other, room } = await two({}, { redisUrl: hanging.url })
    const [alice, bob] = [await enterRoom(one, room), await enterRoom(other, room)]
    const late = await join(one)
    let disconnects = 0
    for (const { socket } of [alice, bob]) socket.on("disconnect", () => (disconnects += 1))
    hanging.hang()
    const entry = { room, address: freshHex() }
    const refused = { ok: false, code: "storage-failed" }
    const replies = [late.ask("room:enter", entry), late.ask("conference:get", { id: room })] as const
    expect(await Promise.all(replies)).toMatchObject([refused, { ok: true }])
    // The process knows now, and says so at once.
    expect(await late.ask("room:enter", entry)).toMatchObject(refused)
    const ready = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status)
    expect(await ready(one)).toBe(503)

    hanging.resume()
    await until(async () => expect(await late.ask("room:enter", entry)).toEqual({ ok: true }))
    await until(async () => expect([await ready(one), await ready(other)]).toEqual([200, 200]))
    for (const [from, to] of [
      [alice, bob],
      [bob, alice],
    ] as const) {
      const signal = { room, to: to.address, envelope: bytesOf("again") }
      await until(async () => {
        expect(await from.ask("signal", signal)).toEqual({ ok: true })
        expect(to.signals).not.toEqual([])
      }, 200)
    }
    expect(disconnects).toBe(0)
  })

  test("refuses to start a process, in one sentence", async () => {
    const hanging = await ownRedis()
    hanging.hang()
    await expect(serve({ redisUrl: hanging.url })).rejects.toThrow(/^Redis at REDIS_URL cannot be reached: .*\.$/u)
  })
})

test.skipIf(isMissing)("renews every lease at once when Redis is back", async () => {
  const shortLived = await ownRedis()
  const open = () => {
    const client = new RedisClient(shortLived.url)
    client.on("error", () => {})
    onTestFinished(() => client.disconnect())
    // So long that no renewal falls into the test by itself.
    const addresses = new RedisAddresses(client, sharesOf(LIMITS, 1), { leaseMs: 600_000, recoveryMs: 600_000 })
    onTestFinished(() => addresses.close())
    return addresses
  }
  const [one, other] = [open(), open()]
  const entry = { room: freshHex(), address: freshHex(), holder: "a", ...member }
  await one.take(entry, undefined)
  await shortLived.kill()
  await shortLived.start()
  await until(async () => expect(await other.isHeld(entry.room, entry.address)).toBe(true))
})

describe.skipIf(isMissing)("without Redis", () => {
  test("a process reports lost Redis and continues, and recovers when Redis is back", async () => {
    const shortLived = await ownRedis()
    const shared = { DATABASE_URL: services.postgres.freshDatabase(), REDIS_URL: shortLived.url }
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
    const elsewhere = { room, to: freshHex(), frame: bytesOf("x") }
    expect(await alice.ask("relay", elsewhere)).toMatchObject({ ok: false, code: "storage-failed" })
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

  test("refuses to start a process, in one sentence", async () => {
    const shared = { DATABASE_URL: services.postgres.freshDatabase(), REDIS_URL: "redis://127.0.0.1:1" }
    const server = spawnServer({ ...shared, WEB_DIR: "none", LOG_LEVEL: "error" })
    expect(await server.ended).toBe(1)
    expect(server.errors()).toMatch(/^Redis at REDIS_URL cannot be reached: .*\.\n$/u)
  })
})

describe.skipIf(isMissing)("a process with one of Redis and PostgreSQL", () => {
  test("refuses to start when it has Redis only", async () => {
    const server = spawnServer({ DATA_DIR: freshDirectory(), REDIS_URL: services.redis.url, WEB_DIR: "none" })
    expect(await server.ended).toBe(1)
    expect(server.errors()).toBe(
      "REDIS_URL joins several processes, which need one database: set DATABASE_URL, too, or leave REDIS_URL out.\n",
    )
  })

  test("starts and warns in one line when it has PostgreSQL only", async () => {
    const server = spawnServer({ DATABASE_URL: services.postgres.freshDatabase(), WEB_DIR: "none", PORT: "0" })
    await join(await readyUrl(server))
    const warnings = server
      .errors()
      .split("\n")
      .filter((line) => line.includes("REDIS_URL"))
    expect(warnings.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 40,
        msg: expect.stringMatching(/^DATABASE_URL is set, and REDIS_URL is not: .*\.$/u),
      }),
    ])
  })
})
