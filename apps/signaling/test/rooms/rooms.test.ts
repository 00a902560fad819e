import { ADVERTISEMENT_BYTES_MAX, ENVELOPE_BYTES_MAX } from "@keymoot/transport/signaling-protocol"
import { describe, expect, test } from "vitest"
import { bytesOf, createRoom, enter, enterRoom, freshHex, join, serve, textOf, until } from "../clients.ts"

async function room(limits = {}) {
  const server = await serve({}, limits)
  return { ...server, room: await createRoom(await join(server.url)) }
}

describe("in a room", () => {
  test("an advertisement with its sender's address reaches all in the room only", async () => {
    const { url, room: here } = await room()
    const elsewhere = await createRoom(await join(url))
    const [alice, bob, carol] = [await enterRoom(url, here), await enterRoom(url, here), await enterRoom(url, here)]
    const dave = await enterRoom(url, elsewhere)

    const advertisement = new Uint8Array(ADVERTISEMENT_BYTES_MAX).fill(7)
    expect(await alice.ask("room:advertise", { room: here, advertisement })).toEqual({ ok: true })
    await until(() => expect([bob.advertisements.length, carol.advertisements.length]).toEqual([1, 1]))
    expect(bob.advertisements[0]).toMatchObject({ room: here, from: alice.address })
    expect(new Uint8Array(bob.advertisements[0]!.advertisement)).toEqual(advertisement)

    // Each has asked and been answered after the advertisement, so one that was on its way has arrived.
    for (const client of [alice, dave]) {
      await client.ask("conference:get", { id: here })
      expect(client.advertisements).toEqual([])
    }
  })

  test("a signal reaches one address and no other", async () => {
    const { url, room: here } = await room()
    const [alice, bob, carol] = [await enterRoom(url, here), await enterRoom(url, here), await enterRoom(url, here)]
    const envelope = new Uint8Array(ENVELOPE_BYTES_MAX).fill(9)
    expect(await alice.ask("signal", { room: here, to: bob.address, envelope })).toEqual({ ok: true })
    await until(() => expect(bob.signals.length).toBe(1))
    expect(bob.signals[0]).toMatchObject({ room: here, from: alice.address })
    expect(new Uint8Array(bob.signals[0]!.envelope)).toEqual(envelope)
    await carol.ask("conference:get", { id: here })
    expect(carol.signals).toEqual([])
  })

  test("signals from one to another arrive in the order sent", async () => {
    const { url, room: here } = await room()
    const [alice, bob] = [await enterRoom(url, here), await enterRoom(url, here)]
    const sent = Array.from({ length: 100 }, (_, number) => `signal ${number}`)
    await Promise.all(sent.map((text) => alice.ask("signal", { room: here, to: bob.address, envelope: bytesOf(text) })))
    await until(() => expect(bob.signals.map(({ envelope }) => textOf(envelope))).toEqual(sent))
  })

  test("an address belongs to its connection until that leaves", async () => {
    const { url, room: here } = await room()
    const alice = await enterRoom(url, here)
    const thief = await join(url)
    const entry = { room: here, address: alice.address }
    expect(await thief.ask("room:enter", entry)).toMatchObject({ ok: false, code: "address-taken" })
    expect(await alice.ask("room:enter", entry)).toEqual({ ok: true })
    expect(await alice.ask("room:leave", { room: here })).toEqual({ ok: true })
    expect(await thief.ask("room:enter", entry)).toEqual({ ok: true })
  })

  test("one of two who enter under the same address at the same time gets it", async () => {
    const { url, room: here } = await room()
    const [one, two] = [await join(url), await join(url)]
    const entry = { room: here, address: freshHex() }
    const replies = await Promise.all([one.ask("room:enter", entry), two.ask("room:enter", entry)])
    expect(replies.filter(({ ok }) => ok).length).toBe(1)
  })

  test("a member that enters again is reached at the new address and not at the old one", async () => {
    const { url, room: here } = await room()
    const [alice, bob] = [await enterRoom(url, here), await enterRoom(url, here)]
    const fresh = freshHex()
    expect(await bob.ask("room:enter", { room: here, address: fresh })).toEqual({ ok: true })
    const envelope = bytesOf("x")
    expect(await alice.ask("signal", { room: here, to: bob.address, envelope })).toMatchObject({
      code: "unknown-address",
    })
    expect(await alice.ask("signal", { room: here, to: fresh, envelope })).toEqual({ ok: true })
    await alice.ask("room:advertise", { room: here, advertisement: envelope })
    await until(() => expect([bob.signals.length, bob.advertisements.length]).toEqual([1, 1]))
  })

  test("forgets a client when it disconnects", async () => {
    const { url, room: here } = await room()
    const [alice, bob] = [await enterRoom(url, here), await enterRoom(url, here)]
    bob.socket.disconnect()
    const signal = { room: here, to: bob.address, envelope: bytesOf("x") }
    await until(async () => {
      expect(await alice.ask("signal", signal)).toMatchObject({ ok: false, code: "unknown-address" })
    })
    expect(await alice.ask("room:enter", { room: here, address: bob.address })).toEqual({ ok: true })
  })

  test("a leave is not overtaken by the enter before it", async () => {
    const { url, room: here } = await room()
    const [alice, bob] = [await join(url), await enterRoom(url, here)]
    const address = freshHex()
    const replies = await Promise.all([
      alice.ask("room:enter", { room: here, address }),
      alice.ask("room:leave", { room: here }),
    ])
    expect(replies).toEqual([{ ok: true }, { ok: true }])
    const reply = await bob.ask("signal", { room: here, to: address, envelope: bytesOf("x") })
    expect(reply).toMatchObject({ code: "unknown-address" })
  })

  test("sends nothing more to a client when it has left", async () => {
    const { url, room: here } = await room()
    const [alice, bob, carol] = [await enterRoom(url, here), await enterRoom(url, here), await enterRoom(url, here)]
    await bob.ask("room:leave", { room: here })
    await alice.ask("room:advertise", { room: here, advertisement: bytesOf("x") })
    await until(() => expect(carol.advertisements.length).toBe(1))
    await bob.ask("conference:get", { id: here })
    expect(bob.advertisements).toEqual([])
  })
})

describe("from outside a room", () => {
  test("refuses to leave it, and to advertise or signal in it", async () => {
    const { url, room: here } = await room()
    const alice = await enterRoom(url, here)
    const stranger = await join(url)
    const envelope = bytesOf("x")
    for (const reply of [
      await stranger.ask("room:leave", { room: here }),
      await stranger.ask("room:advertise", { room: here, advertisement: envelope }),
      await stranger.ask("signal", { room: here, to: alice.address, envelope }),
    ]) {
      expect(reply).toMatchObject({ ok: false, code: "not-in-room" })
    }
  })

  test("refuses to enter a conference that does not exist", async () => {
    const { url } = await serve()
    const client = await join(url)
    const reply = await client.ask("room:enter", { room: freshHex(), address: freshHex() })
    expect(reply).toMatchObject({ ok: false, code: "unknown-conference" })
  })

  test("an address in one room is not reached from another", async () => {
    const { url, room: here } = await room()
    const elsewhere = await createRoom(await join(url))
    const [alice, bob] = [await enterRoom(url, here), await enterRoom(url, elsewhere)]
    const signal = { room: here, to: bob.address, envelope: bytesOf("x") }
    expect(await alice.ask("signal", signal)).toMatchObject({ ok: false, code: "unknown-address" })
  })
})

describe("at its bounds", () => {
  test("a full room refuses the next and lets its members enter again", async () => {
    const { url, room: here } = await room({ provenPerRoomMax: 2 })
    const [alice] = [await enterRoom(url, here), await enterRoom(url, here)]
    const late = await join(url)
    expect(await enter(late, here)).toMatchObject({ ok: false, code: "room-full" })
    expect(await enter(alice, here)).toEqual({ ok: true })
    await alice.ask("room:leave", { room: here })
    expect(await enter(late, here)).toEqual({ ok: true })
  })

  test("one connection is in several rooms, up to the bound", async () => {
    const { url } = await serve({}, { roomsPerConnectionMax: 2 })
    const client = await join(url)
    const rooms = [await createRoom(client), await createRoom(client), await createRoom(client)]
    const enterAt = (index: number) => enter(client, rooms[index]!)
    expect([await enterAt(0), await enterAt(1)]).toEqual([{ ok: true }, { ok: true }])
    expect(await enterAt(2)).toMatchObject({ ok: false, code: "too-many-rooms" })
    await client.ask("room:leave", { room: rooms[0]! })
    expect(await enterAt(2)).toEqual({ ok: true })
  })
})
