import { DESCRIPTOR_BYTES_MAX, FRAME_BYTES_MAX, SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { describe, expect, test } from "vitest"
import { LIMITS } from "../../src/bounds/limits.ts"
import { bytesOf, createRoom, creation, enterRoom, freshHex, join, putForward, serve, until } from "../clients.ts"

const refused = (code: string) => ({ ok: false, code, message: expect.any(String) })

describe("a hostile client", () => {
  test("gets a typed refusal for each protocol violation, and stays connected", async () => {
    const { url } = await serve(
      {},
      { requestsOf: { ...LIMITS.requestsOf, "conference:create": { burst: 100, perSecond: 100 } } },
    )
    const client = await join(url)
    const good = creation()
    const bad: readonly unknown[] = [
      null,
      42,
      "text",
      [],
      bytesOf("x"),
      {},
      { ...good, extra: 1 },
      { ...good, id: good.id.toUpperCase() + "ff" },
      { ...good, id: [good.id] },
      { ...good, id: { toString: "x" } },
      { ...good, id: `${good.id}\n` },
      { ...good, id: freshHex() },
      { ...good, descriptor: "text" },
      { ...good, descriptor: [1, 2, 3] },
      { ...good, descriptor: { length: 3, byteLength: 3 } },
      { ...good, descriptor: new Uint8Array() },
      { ...good, expiresAtMs: String(good.expiresAtMs) },
      { ...good, expiresAtMs: 1.5 },
      { ...good, expiresAtMs: -1 },
      { ...good, expiresAtMs: 1e300 },
      { id: good.id, descriptor: good.descriptor },
    ]
    for (const payload of bad) {
      expect(await client.say("conference:create", payload), JSON.stringify(payload)).toEqual(refused("bad-request"))
    }
    expect(await client.say("conference:create")).toEqual(refused("bad-request"))
    expect(await client.say("conference:create", good, good)).toEqual(refused("bad-request"))
    for (const name of ["conference:delete", "__proto__", "constructor", "toString", ""]) {
      expect(await client.say(name, good), name).toEqual(refused("bad-request"))
    }
    expect(await client.say("conference:create", good)).toEqual({ ok: true })
  })

  test("cannot pollute a prototype", async () => {
    const { url } = await serve()
    const client = await join(url)
    const keys = ["__proto__", "constructor", "prototype"]
    for (const key of keys) {
      const payload: unknown = JSON.parse(`{ "id": "${freshHex()}", "${key}": { "polluted": true, "ok": true } }`)
      expect(await client.say("conference:get", payload)).toEqual(refused("bad-request"))
    }
    expect("polluted" in {}).toBe(false)
    expect("polluted" in Object).toBe(false)
  })

  test("is refused a too large payload, and disconnected only for an oversized frame", async () => {
    const { url } = await serve()
    const client = await join(url)
    const request = creation(new Uint8Array(DESCRIPTOR_BYTES_MAX + 1))
    expect(await client.say("conference:create", request)).toEqual(refused("too-large"))
    const gone = new Promise<void>((done) => client.socket.once("disconnect", () => done()))
    client.socket.emit("conference:create", { ...request, descriptor: new Uint8Array(FRAME_BYTES_MAX + 1) }, () => {})
    await gone
    await join(url)
  })

  test("cannot speak in another's name", async () => {
    const { url } = await serve()
    const room = await createRoom(await join(url))
    const [alice, bob, mallory] = [await enterRoom(url, room), await enterRoom(url, room), await enterRoom(url, room)]
    const signal = { room, to: bob.address, envelope: bytesOf("x") }
    const advertisement = { room, advertisement: bytesOf("x") }
    expect(await mallory.say("signal", { ...signal, from: alice.address })).toEqual(refused("bad-request"))
    expect(await mallory.say("room:advertise", { ...advertisement, from: alice.address })).toEqual(
      refused("bad-request"),
    )
    await mallory.ask("signal", signal)
    await mallory.ask("room:advertise", advertisement)
    await until(() => expect([bob.signals.length, bob.advertisements.length]).toEqual([1, 1]))
    expect([bob.signals[0]?.from, bob.advertisements[0]?.from]).toEqual([mallory.address, mallory.address])
  })

  test("is ignored when it asks for no acknowledgement", async () => {
    const { url } = await serve()
    const client = await join(url)
    const request = creation()
    client.socket.emit("conference:create", request)
    expect(await client.ask("conference:get", { id: request.id })).toEqual(refused("unknown-conference"))
  })

  test("is rate-limited when it floods, while others are served, and served later", async () => {
    const { url } = await serve({}, { requests: { burst: 20, perSecond: 0.01 } })
    const [flooder, other] = [await join(url), await join(url)]
    const id = freshHex()
    const replies = await Promise.all(Array.from({ length: 100 }, () => flooder.ask("conference:get", { id })))
    const codes = new Set(replies.map((reply) => (reply.ok ? "ok" : reply.code)))
    expect(codes).toEqual(new Set(["unknown-conference", "rate-limited"]))
    expect(await other.ask("conference:get", { id })).toEqual(refused("unknown-conference"))
    putForward(performance, 3_600_000)
    expect(await flooder.ask("conference:get", { id })).toEqual(refused("unknown-conference"))
  })

  test("may fan out and store less often than it may ask", async () => {
    const scarce = { burst: 1, perSecond: 0.001 }
    const { url } = await serve(
      {},
      { requestsOf: { ...LIMITS.requestsOf, "room:advertise": scarce, "conference:create": scarce } },
    )
    const client = await join(url)
    const room = await createRoom(client)
    expect(await client.ask("conference:create", creation())).toEqual(refused("rate-limited"))
    await client.ask("room:enter", { room, address: freshHex() })
    const advertisement = { room, advertisement: bytesOf("x") }
    expect(await client.ask("room:advertise", advertisement)).toEqual({ ok: true })
    expect(await client.ask("room:advertise", advertisement)).toEqual(refused("rate-limited"))
    expect((await client.ask("conference:get", { id: room })).ok).toBe(true)
  })

  test("cannot have more requests wait than the bound", async () => {
    const { url } = await serve({}, { requestsWaitingMax: 1 })
    const client = await join(url)
    const id = freshHex()
    const replies = await Promise.all(Array.from({ length: 50 }, () => client.ask("conference:get", { id })))
    const codes = new Set(replies.map((reply) => (reply.ok ? "ok" : reply.code)))
    expect(codes).toEqual(new Set(["unknown-conference", "rate-limited"]))
    expect(await client.ask("conference:get", { id })).toEqual(refused("unknown-conference"))
  })

  test("is disconnected with a reason when it does not read, before it costs memory", async () => {
    const { url } = await serve({}, { packetsUnreadMax: 50 })
    const room = await createRoom(await join(url))
    const alice = await enterRoom(url, room)
    const reader = await openPolling(url)
    await reader.post("40")
    expect(await reader.get()).toContain("40{")
    await reader.post(`420["room:enter",{"room":"${room}","address":"${freshHex()}"}]`)
    expect(await reader.get()).toContain(`[{"ok":true}]`)

    const advertisement = { room, advertisement: bytesOf("x") }
    for (let count = 0; count < 30; count++) await alice.ask("room:advertise", advertisement)
    const heard = await reader.get()
    expect(heard.match(/room:advertise/gu)?.length).toBe(25)
    expect(heard).toContain(`42["goodbye",{"code":"too-slow"`)
    await until(async () => expect(await reader.get()).toContain("Session ID unknown"))
    expect(await alice.ask("room:advertise", advertisement)).toEqual({ ok: true })
  })

  test("is refused a connection above the server's bound until one closes", async () => {
    const { url } = await serve({}, { connectionsMax: 1 })
    const first = await join(url)
    await expect(join(url)).rejects.toThrow()
    first.socket.disconnect()
    await until(() => join(url), 100)
  })
})

/** Long polling by hand, so that it can stop reading. */
async function openPolling(url: string) {
  const address = `${url}${SIGNALING_PATH}/?EIO=4&transport=polling`
  const handshake = await (await fetch(address)).text()
  const { sid } = JSON.parse(handshake.slice(1)) as { sid: string }
  return {
    get: async () => (await fetch(`${address}&sid=${sid}`)).text(),
    post: async (body: string) => void (await fetch(`${address}&sid=${sid}`, { method: "POST", body })),
  }
}
