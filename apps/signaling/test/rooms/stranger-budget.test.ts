/** The cost of one stranger: plays it at ten times the bound and counts what comes through. docs/signaling.md has the numbers. */
import { randomBytes } from "node:crypto"
import { EventEmitter } from "node:events"
import { FRAME_BYTES_MAX } from "@keymoot/transport/signaling-protocol"
import { pino } from "pino"
import { describe, expect, test } from "vitest"
import type { Transport } from "../../src/connection.ts"
import { ATTACHMENTS_MAX } from "../../src/bounds/few-attachments.ts"
import { guard } from "../../src/bounds/guard.ts"
import { LIMITS, type Limits } from "../../src/bounds/limits.ts"
import { noMetrics } from "../../src/web/metrics.ts"
import { Networks } from "../../src/addresses/networks.ts"
import { bytesOf, type Client, createRoom, creation, enter, freshHex, join, serve, until } from "../clients.ts"

const plenty = { burst: 1e9, perSecond: 1e9 }
const once = (burst: number) => ({ burst, perSecond: 0.001 })

async function conference(limits: Partial<Limits> = {}) {
  const { url } = await serve({ trustedProxies: 1 }, limits)
  const from = (network: string) => join(url, "websocket", { "X-Forwarded-For": network })
  return { url, from, room: await createRoom(await from("192.0.2.250")) }
}

/** How many of these were accepted. */
async function accepted(replies: readonly Promise<{ readonly ok: boolean }>[]): Promise<number> {
  return (await Promise.all(replies)).filter(({ ok }) => ok).length
}

/** An address in each of eighty networks of an IPv6 site. */
function networksOf(site: string): string[] {
  return Array.from({ length: 80 }, (_, number) => `${site}:${number}::1`)
}

describe("a stranger at ten times the bound", () => {
  test("limits how much traffic of strangers in a room reaches a member", async () => {
    const { burst } = LIMITS.unprovenTraffic
    const { from, room } = await conference({ unprovenTraffic: once(burst) })
    const member = await from("192.0.2.2")
    const to = freshHex()
    await enter(member, room, to)
    const strangers: Client[] = []
    for (let number = 0; number < LIMITS.unprovenPerRoomMax; number++) {
      const stranger = await from(`198.51.100.${number % 8}`)
      expect(await stranger.ask("room:enter", { room, address: freshHex() })).toEqual({ ok: true })
      strangers.push(stranger)
    }
    const each = (10 * burst) / strangers.length
    const sent = strangers.flatMap((stranger) =>
      Array.from({ length: each }, (_, number) =>
        number % 4 === 0
          ? stranger.ask("room:advertise", { room, advertisement: bytesOf("x") })
          : stranger.ask("signal", { room, to, envelope: bytesOf("x") }),
      ),
    )
    expect(await accepted(sent)).toBe(burst)
    // Messages to the member have arrived before this answer.
    await member.ask("conference:get", { id: room })
    expect(member.signals.length + member.advertisements.length).toBe(burst)
  })

  test("relays nothing to a member", async () => {
    const { from, room } = await conference()
    const [member, stranger] = [await from("192.0.2.2"), await from("192.0.2.1")]
    const to = freshHex()
    await enter(member, room, to)
    let frames = 0
    member.socket.on("relay", () => (frames += 1))
    await stranger.ask("room:enter", { room, address: freshHex() })
    const frame = new Uint8Array(1_000)
    const replies = await Promise.all(Array.from({ length: 40 }, () => stranger.ask("relay", { room, to, frame })))
    for (const reply of replies) expect(reply).toMatchObject({ ok: false, code: "not-proved" })
    await member.ask("conference:get", { id: room })
    expect(frames).toBe(0)
  })

  test("holds no more sockets than one network address may", async () => {
    const { from } = await conference({ connectionsPerAddressMax: 8 })
    const attempts = await Promise.allSettled(Array.from({ length: 80 }, () => from("192.0.2.1")))
    expect(attempts.filter(({ status }) => status === "fulfilled").length).toBe(8)
  })

  test("stores no more than one network address may, over however many connections", async () => {
    const rows = 10
    const { from } = await conference({
      storedPerAddress: once(rows * (4 * 1024 + 1_000)),
      requestsOf: { ...LIMITS.requestsOf, "conference:create": plenty },
    })
    const clients = await Promise.all(Array.from({ length: 5 }, () => from("192.0.2.1")))
    const create = (client: Client) => client.ask("conference:create", creation(randomBytes(1_000)))
    const attempts = clients.flatMap((client) => Array.from({ length: 20 }, () => create(client)))
    expect(await accepted(attempts)).toBe(rows)
    expect(await create(clients[0]!)).toMatchObject({ ok: false, code: "rate-limited" })
    expect(await create(await from("192.0.2.3"))).toEqual({ ok: true })
  })

  test("with the many networks of an IPv6 site has eight shares of storage", async () => {
    const { from } = await conference({ storedPerAddress: once(4 * 1024 + 1_000) })
    const clients = await Promise.all(networksOf("2001:db8:0").map(from))
    const create = (client: Client) => client.ask("conference:create", creation(randomBytes(1_000)))
    expect(await accepted(clients.map(create))).toBe(8)
    expect(await create(clients.at(-1)!)).toMatchObject({ ok: false, code: "rate-limited" })
    expect(await create(await from("2001:db8:1::1"))).toEqual({ ok: true })
  })

  test("with the many networks of an IPv6 site has eight shares of sockets", async () => {
    const { from } = await conference({ connectionsPerAddressMax: 1 })
    const attempts = await Promise.allSettled(networksOf("2001:db8:0").map(from))
    const [first, ...rest] = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []))
    expect(rest.length).toBe(7)
    await from("2001:db8:1::1")
    first!.socket.disconnect()
    await until(() => from("2001:db8:0:ff::1"), 100)
  })

  test("pays for a roster by its members", async () => {
    const { conferenceCost } = await import("../../src/bounds/storage-quota.ts")
    const request = creation()
    const roster = { members: Array.from({ length: 256 }, freshHex), startsAtMs: 1, endsAtMs: 2 }
    expect(conferenceCost({ ...request, roster }) - conferenceCost(request)).toBe(256 * 512)
  })
})

/** Connections of one network address that read nothing, with what the server writes to them. */
function deafConnections(count: number, networks: Networks) {
  const surroundings = { limits: LIMITS, log: pino({ enabled: false }), metrics: noMetrics }
  return Array.from({ length: count }, () => {
    const [events, inner] = [new EventEmitter(), new EventEmitter()]
    const close = () => void events.emit("close")
    const transport = Object.assign(events, { transport: inner, close })
    const guarded = guard(transport as unknown as Transport, networks.open("192.0.2.1"), () => {}, surroundings)
    const write = (byteCount: number) => transport.emit("packetCreate", { data: new Uint8Array(byteCount) })
    // Engine.IO passes everything that waits to the WebSocket, whose writing ends with "drain".
    const flush = () => void events.emit("flush")
    const read = () => {
      flush()
      inner.emit("drain")
    }
    return { write, flush, read, close, closeSocket: () => inner.emit("close"), isEnded: () => guarded.isEnded() }
  })
}

describe("what waits for the connections of one network address", () => {
  const PACKET = 100_000
  const { bytesUnreadPerAddressMax, bytesUnreadMax } = LIMITS

  test("is bounded for all of them together", () => {
    const connections = deafConnections(200, new Networks(LIMITS, 1))
    let [waiting, written] = [0, 0]
    const rounds = Math.ceil((10 * bytesUnreadPerAddressMax) / (connections.length * PACKET))
    for (let round = 0; round < rounds; round++) {
      for (const connection of connections) {
        if (connection.isEnded()) continue
        connection.write(PACKET)
        written += PACKET
      }
      waiting = connections.filter(({ isEnded }) => !isEnded()).length * (round + 1) * PACKET
      expect(waiting).toBeLessThanOrEqual(bytesUnreadPerAddressMax)
    }
    expect(written).toBeGreaterThan(bytesUnreadPerAddressMax)
  })

  test("is bounded when it is being written, too", () => {
    const connections = deafConnections(200, new Networks(LIMITS, 1))
    let written = 0
    for (const connection of connections) {
      for (let size = PACKET; size < bytesUnreadMax && !connection.isEnded(); size += PACKET) {
        connection.write(PACKET)
        written += PACKET
      }
      connection.flush()
    }
    const held = connections.filter(({ isEnded }) => !isEnded()).length * bytesUnreadMax
    expect(held).toBeLessThanOrEqual(bytesUnreadPerAddressMax + bytesUnreadMax)
    expect(written).toBeGreaterThan(bytesUnreadPerAddressMax)
  })

  test("counts until the socket of a given up connection has closed", () => {
    const networks = new Networks(LIMITS, 1)
    const deaf = deafConnections(bytesUnreadPerAddressMax / bytesUnreadMax, networks)
    for (const { write, flush, close } of deaf) {
      write(bytesUnreadMax - 1)
      flush()
      close()
    }
    const [late, later] = deafConnections(2, networks)
    late!.write(PACKET)
    for (const { closeSocket } of deaf) closeSocket()
    later!.write(PACKET)
    expect([late!.isEnded(), later!.isEnded()]).toEqual([true, false])
  })

  test("is forgotten when it was read, and when they close", () => {
    const networks = new Networks(LIMITS, 1)
    for (let round = 0; round < 3; round++) {
      // Half of what the address may, three times over.
      const [reader, ...deaf] = deafConnections(1 + bytesUnreadPerAddressMax / bytesUnreadMax / 2, networks)
      for (const { write } of deaf) write(bytesUnreadMax - PACKET)
      for (let count = 0; count < 100; count++) {
        reader!.write(PACKET)
        reader!.read()
      }
      expect([reader!, ...deaf].map(({ isEnded }) => isEnded())).not.toContain(true)
      // The next packet is too much for each of these, and ends it.
      for (const { write } of deaf) write(PACKET)
      expect(deaf.map(({ isEnded }) => isEnded())).not.toContain(false)
    }
  })
})

test("closes a connection without its last attachment before it costs a request", async () => {
  const { url } = await serve()
  const socket = new WebSocket(`${url.replace("http", "ws")}/signaling/v1/?EIO=4&transport=websocket`)
  await new Promise((done) => socket.addEventListener("message", done, { once: true }))
  const closed = new Promise((done) => socket.addEventListener("close", done, { once: true }))
  socket.send("40")
  const fields = Array.from({ length: ATTACHMENTS_MAX + 1 }, (_, num) => `{"_placeholder":true,"num":${num}}`)
  socket.send(`45${fields.length}-0["conference:get",${fields.join(",")}]`)
  socket.send(new Uint8Array(FRAME_BYTES_MAX - 10))
  await closed
})
