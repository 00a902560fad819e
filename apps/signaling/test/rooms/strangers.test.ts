/** Strangers know the id of a conference, and not its link. Members hold the link. */
import { describe, expect, test } from "vitest"
import { LIMITS, type Limits } from "../../src/bounds/limits.ts"
import { bytesOf, type Client, createRoom, creation, enter, freshHex, join, serve, until } from "../clients.ts"
import { proofOf } from "../invitation.ts"

/** A server behind a proxy, a room in it, and the way there from a network address. */
async function conference(limits: Partial<Limits> = {}) {
  const { url } = await serve({ trustedProxies: 1 }, limits)
  const from = (network: string) => join(url, "websocket", { "X-Forwarded-For": network })
  return { from, room: await createRoom(await from("192.0.2.250")) }
}

const intrude = (stranger: Client, room: string) => stranger.ask("room:enter", { room, address: freshHex() })
const cut = ({ socket }: Client) => void socket.io.engine.close()

/** How many of these could enter. */
async function admitted(replies: readonly Promise<{ readonly ok: boolean }>[]): Promise<number> {
  return (await Promise.all(replies)).filter(({ ok }) => ok).length
}

describe("a room that strangers fill", () => {
  test("admits a member when one address has opened 511 sockets", async () => {
    const { from, room } = await conference()
    const strangers = await Promise.all(Array.from({ length: 511 }, () => from("192.0.2.1")))
    const places = await admitted(strangers.map((stranger) => intrude(stranger, room)))
    expect(places).toBe(LIMITS.unprovenPerRoomAndAddressMax)
    const member = await from("192.0.2.1")
    expect(await enter(member, room)).toEqual({ ok: true })
    cut(member)
    await until(async () => expect(await enter(await from("192.0.2.1"), room)).toEqual({ ok: true }), 200)
  })

  test("admits a member when strangers come from many addresses", async () => {
    const { from, room } = await conference()
    const strangers = await Promise.all(Array.from({ length: 120 }, (_, index) => from(`198.51.100.${index % 40}`)))
    const places = await admitted(strangers.map((stranger) => intrude(stranger, room)))
    expect(places).toBe(LIMITS.unprovenPerRoomMax)
    expect(await enter(await from("192.0.2.2"), room)).toEqual({ ok: true })
  })

  test("keeps the share of its strangers when members fill it", async () => {
    const { from, room } = await conference({ provenPerRoomMax: 1 })
    expect(await enter(await from("192.0.2.2"), room)).toEqual({ ok: true })
    expect(await enter(await from("192.0.2.3"), room)).toMatchObject({ code: "room-full" })
    expect(await intrude(await from("192.0.2.1"), room)).toEqual({ ok: true })
  })

  test("lets strangers who are alone in it advertise and signal", async () => {
    const { from, room } = await conference()
    const [one, other] = [await from("192.0.2.1"), await from("192.0.2.2")]
    const to = freshHex()
    expect(await intrude(one, room)).toEqual({ ok: true })
    expect(await other.ask("room:enter", { room, address: to })).toEqual({ ok: true })
    expect(await one.ask("room:advertise", { room, advertisement: bytesOf("x") })).toEqual({ ok: true })
    expect(await one.ask("signal", { room, to, envelope: bytesOf("y") })).toEqual({ ok: true })
    await until(() => expect([other.advertisements.length, other.signals.length]).toEqual([1, 1]))
  })

  test("has room for a few when it was made without a verifier", async () => {
    const { from } = await conference()
    const creator = await from("192.0.2.1")
    const request = creation()
    await creator.ask("conference:create", request)
    const clients = await Promise.all(Array.from({ length: 8 }, () => from("192.0.2.1")))
    const proven = await admitted(clients.map((client) => enter(client, request.id)))
    expect(proven).toBe(LIMITS.unprovenPerRoomAndAddressMax)
  })

  test("is as full as before when a stranger enters again under other addresses", async () => {
    const { from, room } = await conference()
    const stranger = await from("192.0.2.1")
    for (let count = 0; count < 10; count++) expect(await intrude(stranger, room)).toEqual({ ok: true })
    const others = [await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.1")]
    expect(await admitted(others.map((other) => intrude(other, room)))).toBe(3)
  })
})

describe("a former member, who can still prove", () => {
  test("cannot fill the room from one address", async () => {
    const { from, room } = await conference({ provenPerRoomMax: 6, provenPerRoomAndAddressMax: 3 })
    const sockets = await Promise.all(Array.from({ length: 6 }, () => from("192.0.2.66")))
    expect(await admitted(sockets.map((socket) => enter(socket, room)))).toBe(3)
    expect(await enter(await from("192.0.2.2"), room)).toEqual({ ok: true })
  })

  test("does not get the place of a member whose connection broke", async () => {
    const { from, room } = await conference({ provenPerRoomMax: 2, placeKeptMs: 600_000 })
    const member = await from("192.0.2.2")
    expect(await enter(member, room)).toEqual({ ok: true })
    expect(await enter(await from("192.0.2.66"), room)).toEqual({ ok: true })
    const greedy = await from("192.0.2.66")
    cut(member)
    expect(await enter(greedy, room)).toMatchObject({ code: "room-full" })
    expect(await enter(await from("192.0.2.2"), room)).toEqual({ ok: true })
    expect(await enter(greedy, room)).toMatchObject({ code: "room-full" })
  })

  test("gets the place of a member that did not return in time", async () => {
    const { from, room } = await conference({ provenPerRoomMax: 1, placeKeptMs: 50 })
    const member = await from("192.0.2.2")
    expect(await enter(member, room)).toEqual({ ok: true })
    cut(member)
    const other = await from("192.0.2.3")
    await until(async () => expect(await enter(other, room)).toEqual({ ok: true }), 100)
  })
})

describe("a proof", () => {
  test("is refused when it is forged, or made for another connection, address or room", async () => {
    const { from, room } = await conference()
    const [thief, member] = [await from("192.0.2.1"), await from("192.0.2.2")]
    const address = freshHex()
    const forged = proofOf(thief.socket, room, address)
    forged[5]! ^= 1
    for (const proof of [
      forged,
      new Uint8Array(64),
      proofOf(member.socket, room, address),
      proofOf(thief.socket, room, freshHex()),
      proofOf(thief.socket, freshHex(), address),
    ]) {
      expect(await thief.ask("room:enter", { room, address, proof })).toMatchObject({ ok: false, code: "bad-proof" })
    }
    for (const proof of [new Uint8Array(63), new Uint8Array(65), "x", null]) {
      const reply = await thief.say("room:enter", { room, address, proof })
      expect(reply).toMatchObject({ code: expect.stringMatching(/^(bad-request|too-large)$/u) })
    }
  })

  test("costs its connection when it is wrong again and again", async () => {
    const { from, room } = await conference({ nuisances: { burst: 5, perSecond: 0.001 } })
    const forger = await from("192.0.2.1")
    const farewell = new Promise((done) => forger.socket.once("goodbye", done))
    const proof = new Uint8Array(64)
    for (let count = 0; count < 6; count++) {
      forger.socket.emit("room:enter", { room, address: freshHex(), proof }, () => {})
    }
    expect(await farewell).toMatchObject({ code: "flooding" })
  })

  test("is refused when the verifier of the conference is no key", async () => {
    const { from } = await conference()
    const creator = await from("192.0.2.1")
    const request = { ...creation(), verifier: new Uint8Array(32).fill(0xff) }
    await creator.ask("conference:create", request)
    expect(await enter(creator, request.id)).toMatchObject({ ok: false, code: "bad-proof" })
  })
})
