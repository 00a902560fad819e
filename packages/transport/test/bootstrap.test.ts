import { randomBytes } from "node:crypto"
import { startServer } from "@keymoot/signaling"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createBootstrap } from "../src/host/bootstrap.ts"
import type { BootstrapCommand, BootstrapEvent, BootstrapReply, RoomAddress } from "../src/host/port.ts"
import { DESCRIPTOR_BYTES_MAX, ENVELOPE_BYTES_MAX } from "../src/signaling-protocol/index.ts"
import { serveGarbage, serveHostile, serveWithoutWebSocket } from "./hostile-bootstrap.ts"

const PATIENT = { timeout: 30_000, interval: 20 }
const bytes = (text: string) => new TextEncoder().encode(text)
const hex = () => randomBytes(16).toString("hex")
const address = () => hex() as RoomAddress
const inAnHour = () => Date.now() + 3_600_000

/** A member's end: what it was told, and a way to wait for the reply to a request. */
function member() {
  const events: BootstrapEvent[] = []
  const bootstrap = createBootstrap((event) => events.push(event))
  onTestFinished(() => bootstrap.close())
  let request = 0
  const replies = (number: number) =>
    events.flatMap((event) => (event.type === "bootstrap-reply" && event.request === number ? [event.reply] : []))
  const ask = async (command: DistributiveOmit<Extract<BootstrapCommand, { request: number }>, "request">) => {
    const number = (request += 1)
    bootstrap.post({ ...command, request: number })
    await vi.waitFor(() => expect(replies(number).length).toBe(1), PATIENT)
    return replies(number)[0] as BootstrapReply
  }
  const states = () => events.flatMap((event) => (event.type === "bootstrap-state" ? [event.state] : []))
  const until = (...expected: string[]) => vi.waitFor(() => expect(states()).toEqual(expected), PATIENT)
  return { ...bootstrap, events, ask, states, until }
}
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

async function serve(port = 0) {
  const server = await startServer({ port })
  let open = true
  const close = async () => {
    if (open) await server.close()
    open = false
  }
  onTestFinished(close)
  return { server: server.url, close }
}

async function conferenceAt(server: string, creator: ReturnType<typeof member>): Promise<string> {
  const id = hex()
  const reply = await creator.ask({
    type: "conference-create",
    server,
    id,
    descriptor: bytes("d"),
    expiresAtMs: inAnHour(),
  })
  expect(reply).toEqual({ ok: true })
  return id
}

describe("with the real server", () => {
  test("a member creates a conference and another, asking before the connection is there, gets it", async () => {
    const { server } = await serve()
    const [alice, bob] = [member(), member()]
    for (const { post } of [alice, bob]) post({ type: "bootstrap-connect", server })
    const room = await conferenceAt(server, alice)
    const reply = await bob.ask({ type: "conference-get", server, id: room })
    expect(reply).toEqual({ ok: true, descriptor: bytes("d") })
    expect(alice.states()).toEqual(["up"])
  })

  test("members find each other in a room and exchange signals that survive structured cloning", async () => {
    const { server } = await serve()
    const [alice, bob] = [member(), member()]
    for (const { post } of [alice, bob]) post({ type: "bootstrap-connect", server })
    const room = await conferenceAt(server, alice)
    const [a, b] = [address(), address()]
    await alice.ask({ type: "room-enter", server, room, address: a })
    await bob.ask({ type: "room-enter", server, room, address: b })

    alice.post({ type: "room-advertise", server, room, advertisement: bytes("here I am") })
    const advertised = { type: "room-advertisement", server, room, from: a, advertisement: bytes("here I am") }
    await vi.waitFor(() => expect(bob.events).toContainEqual(advertised), PATIENT)
    bob.post({ type: "room-signal", server, room, to: a, envelope: bytes("offer") })
    const signal = { type: "room-signal", server, room, from: b, envelope: bytes("offer") }
    await vi.waitFor(() => expect(alice.events).toContainEqual(signal), PATIENT)

    const received = alice.events.find((event) => event.type === "room-signal")!
    expect(received.envelope.buffer.byteLength).toBe(received.envelope.length)
    expect(structuredClone(received)).toEqual(signal)
  })

  test("a member behind a middleman that breaks WebSocket gets through all the same", async () => {
    const { server: direct } = await serve()
    const server = await serveWithoutWebSocket(direct)
    const alice = member()
    const bob = member()
    alice.post({ type: "bootstrap-connect", server })
    bob.post({ type: "bootstrap-connect", server: direct })
    const room = await conferenceAt(server, alice)
    expect(await alice.ask({ type: "conference-get", server, id: room })).toEqual({ ok: true, descriptor: bytes("d") })
    const [a, b] = [address(), address()]
    await alice.ask({ type: "room-enter", server, room, address: a })
    await bob.ask({ type: "room-enter", server: direct, room, address: b })
    const envelope = new Uint8Array(ENVELOPE_BYTES_MAX).fill(3)
    bob.post({ type: "room-signal", server: direct, room, to: a, envelope })
    const signal = { type: "room-signal", server, room, from: b, envelope }
    await vi.waitFor(() => expect(alice.events).toContainEqual(signal), PATIENT)
  })

  test("a leave posted behind an enter follows it, even when both wait for the connection", async () => {
    const { server } = await serve()
    const [alice, bob] = [member(), member()]
    bob.post({ type: "bootstrap-connect", server })
    const room = await conferenceAt(server, bob)
    await bob.ask({ type: "room-enter", server, room, address: address() })
    const gone = address()
    alice.post({ type: "bootstrap-connect", server })
    alice.post({ type: "room-enter", server, request: 1_000, room, address: gone })
    alice.post({ type: "room-leave", server, room, address: gone })
    await alice.ask({ type: "conference-get", server, id: room })
    // The address is free again: whoever else asks for it gets it.
    expect(await bob.ask({ type: "room-enter", server, room, address: gone })).toEqual({ ok: true })
  })

  test("refusals carry the server's code, and what would cost the connection is refused at this end", async () => {
    const { server } = await serve()
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    const create = (descriptor: Uint8Array) =>
      alice.ask({ type: "conference-create", server, id: room, descriptor, expiresAtMs: inAnHour() })
    const room = await conferenceAt(server, alice)
    expect(await create(bytes("other"))).toMatchObject({ ok: false, code: "conference-exists" })
    expect(await create(new Uint8Array(DESCRIPTOR_BYTES_MAX + 1))).toMatchObject({ ok: false, code: "too-large" })
    expect(await create(new Uint8Array(10_000_000))).toMatchObject({ ok: false, code: "too-large" })
    expect(await alice.ask({ type: "conference-get", server, id: "no id" })).toMatchObject({ code: "bad-request" })
    expect(alice.states()).toEqual(["up"])
  })

  test("a member sees the server go down and come up on the same port, and enters its room again", async () => {
    const first = await serve()
    const { server } = first
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    await alice.until("up")
    await first.close()
    await alice.until("up", "down")
    await serve(Number(new URL(server).port))
    await alice.until("up", "down", "up")
    const room = await conferenceAt(server, alice)
    expect(await alice.ask({ type: "room-enter", server, room, address: address() })).toEqual({ ok: true })
  })

  test("what was asked while the server was away is answered when it is back", async () => {
    const first = await serve()
    const { server } = first
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    await alice.until("up")
    await first.close()
    await alice.until("up", "down")
    const reply = alice.ask({ type: "conference-get", server, id: hex() })
    await serve(Number(new URL(server).port))
    expect(await reply).toMatchObject({ ok: false, code: "unknown-conference" })
  })

  test("two connects need two disconnects, and after the last the member has left", async () => {
    const { server } = await serve()
    const [alice, bob] = [member(), member()]
    for (const { post } of [alice, alice, bob]) post({ type: "bootstrap-connect", server })
    const room = await conferenceAt(server, alice)
    const held = address()
    await alice.ask({ type: "room-enter", server, room, address: held })
    const take = () => bob.ask({ type: "room-enter", server, room, address: held })
    alice.post({ type: "bootstrap-disconnect", server })
    expect((await alice.ask({ type: "conference-get", server, id: room })).ok).toBe(true)
    expect(await take()).toMatchObject({ code: "address-taken" })
    alice.post({ type: "bootstrap-disconnect", server })
    await vi.waitFor(async () => expect(await take()).toEqual({ ok: true }), PATIENT)
    expect(await alice.ask({ type: "conference-get", server, id: room })).toMatchObject({ code: "server-unreachable" })
  })

  test("a closed end reports nothing more", async () => {
    const { server } = await serve()
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    await alice.until("up")
    alice.post({ type: "conference-get", server, request: 1_000, id: hex() })
    alice.close()
    const bob = member()
    bob.post({ type: "bootstrap-connect", server })
    await bob.ask({ type: "conference-get", server, id: hex() })
    expect(alice.events.length).toBe(1)
  })
})

describe("without a server", () => {
  test("a member hears that it is down and its questions are answered in the end", async () => {
    const first = await serve()
    await first.close()
    const alice = member()
    alice.post({ type: "bootstrap-connect", server: first.server })
    const reply = alice.ask({ type: "conference-get", server: first.server, id: hex() })
    await alice.until("down")
    expect(await reply).toMatchObject({ ok: false, code: "server-unreachable" })
  })

  test("what a link names as server and is none is down, and the same holds for one server too many", async () => {
    const alice = member()
    const bad = [
      "",
      "nonsense",
      "javascript:alert(1)",
      "file:///etc",
      "http://a.example/path",
      "//a.example",
      "http://[",
    ]
    for (const server of bad) {
      alice.post({ type: "bootstrap-connect", server })
      expect(await alice.ask({ type: "conference-get", server, id: hex() })).toMatchObject({
        code: "server-unreachable",
      })
      expect(alice.events).toContainEqual({ type: "bootstrap-state", server, state: "down" })
    }
    for (let port = 1; port <= 17; port++) alice.post({ type: "bootstrap-connect", server: `http://127.0.0.1:${port}` })
    const last = "http://127.0.0.1:17"
    expect(await alice.ask({ type: "conference-get", server: last, id: hex() })).toMatchObject({
      code: "server-unreachable",
    })
  })

  test("a question that is still open when the member disconnects is answered", async () => {
    const silent = await serveHostile(() => {})
    const alice = member()
    alice.post({ type: "bootstrap-connect", server: silent })
    await alice.until("up")
    const asked = alice.ask({ type: "conference-get", server: silent, id: hex() })
    alice.post({ type: "bootstrap-disconnect", server: silent })
    expect(await asked).toMatchObject({ ok: false, code: "server-unreachable" })
  })
})

/** Packets of Socket.IO that are malformed, or out of place where the server sends them. */
const BROKEN_PACKETS = [
  `2["signal"`,
  `2`,
  `2[]`,
  `2["connect"]`,
  `2["disconnect","x"]`,
  `2/other,["signal",{}]`,
  `51-["signal",{"_placeholder":true,"num":7}]`,
  `51-["signal",{"_placeholder":true,"num":-1}]`,
  `52-["signal",{"_placeholder":true,"num":1}]`,
  `5999999999-["signal",{"_placeholder":true,"num":0}]`,
  `3`,
  `30`,
  `30{}`,
  `3999999[{"ok":true}]`,
  `30["__proto__"]`,
  `61-0[{"_placeholder":true,"num":0}]`,
  `4`,
  `40`,
  `4{}`,
  `4{"message":{}}`,
  `0`,
  `0{}`,
  `0{"sid":{}}`,
  `1`,
  `1{}`,
  `9`,
  ``,
  `2["signal",${"[".repeat(5_000)}${"]".repeat(5_000)}]`,
  "x".repeat(1_000_000),
].map((packet) => ({ packet, shown: `${packet.slice(0, 40)} (${packet.length} characters)` }))

describe("a hostile server", () => {
  test("that never answers gets its question answered for it", async () => {
    const server = await serveHostile(() => {})
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    expect(await alice.ask({ type: "conference-get", server, id: hex() })).toMatchObject({ code: "server-unreachable" })
    expect(alice.states()).toEqual(["up"])
  })

  test("that answers with garbage is told apart from one that answers", async () => {
    const garbage: readonly unknown[] = [
      undefined,
      null,
      "ok",
      { ok: "true" },
      { ok: true },
      { ok: true, descriptor: "text" },
      { ok: true, descriptor: bytes("d"), extra: 1 },
      { ok: true, descriptor: new Uint8Array(DESCRIPTOR_BYTES_MAX + 1) },
      { ok: false },
      { ok: false, code: "made-up", message: "" },
      { ok: false, code: "bad-request", message: "x".repeat(10_000) },
      JSON.parse('{ "ok": true, "descriptor": null, "__proto__": { "polluted": true } }'),
    ]
    let next = 0
    const server = await serveHostile((socket) => {
      socket.on("conference:get", (_request, acknowledge: (...answers: unknown[]) => void) => {
        acknowledge(garbage[next], "more")
        acknowledge({ ok: true, descriptor: bytes("again") })
      })
    })
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    for (next = 0; next < garbage.length; next++) {
      const reply = await alice.ask({ type: "conference-get", server, id: hex() })
      expect(reply, JSON.stringify(garbage[next])).toMatchObject({ ok: false, code: "bad-reply" })
    }
    expect("polluted" in {}).toBe(false)
  })

  test("that delivers garbage delivers nothing, and what is well formed still arrives", async () => {
    const good = { room: hex(), from: hex(), envelope: bytes("x") }
    const server = await serveHostile((socket) => {
      const bad = [
        [],
        [null],
        [[]],
        [{ ...good, from: "somebody" }],
        [{ ...good, extra: 1 }],
        [{ ...good, envelope: "text" }],
        [{ ...good, envelope: new Uint8Array(ENVELOPE_BYTES_MAX + 1) }],
        ["x", good],
        [JSON.parse('{ "__proto__": { "polluted": true } }')],
      ]
      for (const name of ["signal", "room:advertise", "__proto__", "toString", "bootstrap-state"]) {
        for (const args of bad) socket.emit(name, ...args)
        socket.emit(name, null, () => {})
      }
      socket.emit("signal", good)
    })
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    await vi.waitFor(() => expect(alice.events.some(({ type }) => type === "room-signal")).toBe(true), PATIENT)
    expect(alice.events).toEqual([
      { type: "bootstrap-state", server, state: "up" },
      { type: "room-signal", server, room: good.room, from: good.from, envelope: good.envelope },
    ])
  })

  test.for(BROKEN_PACKETS)("that sends $shown does no harm", async ({ packet }) => {
    let connections = 0
    const server = await serveHostile((socket) => {
      connections += 1
      const misbehaves = connections === 1
      if (misbehaves) socket.conn.write(packet)
      socket.on("conference:get", (_request, acknowledge: (answer: unknown) => void) => {
        if (misbehaves) socket.conn.write(packet, {}, () => socket.conn.close())
        else acknowledge({ ok: true, descriptor: bytes("d") })
      })
    })
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    const asked = async () => expect((await alice.ask({ type: "conference-get", server, id: hex() })).ok).toBe(true)
    await vi.waitFor(asked, PATIENT)
    expect(alice.states().at(-1)).toBe("up")
  })

  test("that turns members away is asked again", async () => {
    let turnedAway = 0
    const server = await serveHostile((socket) => {
      turnedAway += 1
      if (turnedAway === 1) socket.disconnect()
    })
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    await alice.until("up", "down", "up")
  })

  test.for([
    "0{ this is no handshake",
    "0null",
    "0{}",
    `0{"sid":"x","upgrades":null,"pingInterval":"soon","pingTimeout":-1}`,
    "nonsense",
  ])("whose handshake is %s does no harm and is tried again", async (handshake) => {
    const { url, connections } = await serveGarbage([handshake, "40{}", `42["signal",null]`, "2", "4"])
    const alice = member()
    alice.post({ type: "bootstrap-connect", server: url })
    await vi.waitFor(() => expect(connections()).toBeGreaterThanOrEqual(3), PATIENT)
    expect(alice.states()).not.toContain("up")
  })
})
