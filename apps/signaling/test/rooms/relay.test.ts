import {
  RELAY_ANSWER_TIMEOUT_MS,
  RELAY_FRAME_BYTES_MAX,
  RELAY_FRAME_COST_BYTES,
  RELAY_PAIR_WINDOW_BYTES,
  RELAY_WINDOW_BYTES,
} from "@keymoot/transport/signaling-protocol"
import { type Namespace, Server } from "socket.io"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { LIMITS, RELAY_FRAME_CHARGE_BYTES } from "../../src/bounds/limits.ts"
import { bytesOf, type Client, createRoom, enter, enterRoom, freshHex, join, serve, textOf, until } from "../clients.ts"

type Frame = { readonly room: string; readonly from: string; readonly frame: Uint8Array }
type Take = (answer: unknown) => void

/** Frames that a client receives. `take` answers each, or withholds the answer. */
function relayed(client: Client, take: (answer: Take) => void = (answer) => answer({ taken: true })): Frame[] {
  const frames: Frame[] = []
  client.socket.on("relay", (delivery: Frame, answer: Take) => {
    frames.push(delivery)
    take(answer)
  })
  return frames
}

async function pair(limits = {}) {
  const { url } = await serve({}, limits)
  const here = await createRoom(await join(url))
  const [alice, bob] = [await enterRoom(url, here), await enterRoom(url, here)]
  const send = (frame: Uint8Array, to = bob.address) => alice.ask("relay", { room: here, to, frame })
  return { url, here, alice, bob, send }
}

/** Lets the timeout of a relayed frame run out after a second, for the rest of the test. */
function withSoonTimeout(): void {
  const { setTimeout } = globalThis
  const isRelayTimeout = (ms = 0) => ms > RELAY_ANSWER_TIMEOUT_MS - 5_000 && ms <= RELAY_ANSWER_TIMEOUT_MS
  const soon = vi
    .spyOn(globalThis, "setTimeout")
    .mockImplementation(((run: () => void, ms?: number) => setTimeout(run, isRelayTimeout(ms) ? 1_000 : ms)) as never)
  onTestFinished(() => soon.mockRestore())
}

const QUARTER = new Uint8Array(RELAY_PAIR_WINDOW_BYTES / 4 - RELAY_FRAME_COST_BYTES)

describe("between two members whose link cannot be made", () => {
  test("delivers frames intact, in order, with the sender's address, to the other only", async () => {
    const { here, url, alice, bob, send } = await pair()
    const carol = await enterRoom(url, here)
    const [atBob, atCarol] = [relayed(bob), relayed(carol)]
    const texts = Array.from({ length: 100 }, (_, number) => `frame ${number}`)
    const replies = await Promise.all(texts.map((text) => send(bytesOf(text))))
    expect(replies).toEqual(texts.map(() => ({ ok: true })))
    expect(atBob.map(({ frame }) => textOf(frame))).toEqual(texts)
    expect(atBob[0]).toMatchObject({ room: here, from: alice.address })
    const large = new Uint8Array(RELAY_FRAME_BYTES_MAX).map((_, index) => index)
    expect(await send(large)).toEqual({ ok: true })
    expect(new Uint8Array(atBob.at(-1)!.frame)).toEqual(large)
    expect(atCarol).toEqual([])
  })

  test("acknowledges when the other end has taken the frame, without blocking requests", async () => {
    const { here, alice, bob, send } = await pair()
    const waiting: Take[] = []
    const frames = relayed(bob, (answer) => waiting.push(answer))
    let answered = false
    const first = send(bytesOf("x")).finally(() => (answered = true))
    await until(() => expect(frames.length).toBe(1))
    expect(await alice.ask("signal", { room: here, to: bob.address, envelope: bytesOf("x") })).toEqual({ ok: true })
    expect(answered).toBe(false)
    waiting[0]!({ taken: true })
    expect(await first).toEqual({ ok: true })
  })

  test("an end that does not want frames, or answers nonsense, refuses them", async () => {
    for (const answer of [{ taken: false }, "yes", { taken: true, more: 1 }, null]) {
      const { bob, send } = await pair()
      relayed(bob, (take) => take(answer))
      expect(await send(bytesOf("x"))).toMatchObject({ ok: false, code: "relay-refused" })
    }
  })

  test("refuses a frame when its receiver is absent, and keeps nothing", async () => {
    const { here, bob, send } = await pair()
    const frames = relayed(bob)
    expect(await send(bytesOf("x"), freshHex())).toMatchObject({ ok: false, code: "unknown-address" })
    await bob.ask("room:leave", { room: here })
    expect(await send(bytesOf("x"))).toMatchObject({ ok: false, code: "unknown-address" })
    expect(frames).toEqual([])
  })

  test("delivers in order what a member sent before it left and disconnected", async () => {
    const { here, alice, bob } = await pair()
    const frames = relayed(bob)
    const texts = ["last words", "goodbye", "close"]
    for (const text of texts)
      alice.socket.emit("relay", { room: here, to: bob.address, frame: bytesOf(text) }, () => {})
    alice.socket.emit("room:leave", { room: here }, () => {})
    alice.socket.disconnect()
    await until(() => expect(frames.map(({ frame }) => textOf(frame))).toEqual(texts))
  })

  test("searches no connections when a frame stays unanswered", async () => {
    const namespaces = vi.spyOn(Server.prototype, "of")
    onTestFinished(() => namespaces.mockRestore())
    const { bob, send } = await pair()
    const frames = relayed(bob, () => {})
    const searches = vi.spyOn((namespaces.mock.results[0]!.value as Namespace).sockets, "forEach")
    withSoonTimeout()
    expect(await send(bytesOf("x"))).toMatchObject({ ok: false, code: "relay-refused" })
    expect(frames.length).toBe(1)
    expect(searches).not.toHaveBeenCalled()
  })

  test("relays nothing when the sender is outside the room", async () => {
    const { url, here, bob } = await pair()
    const frames = relayed(bob)
    const stranger = await enterRoom(url, await createRoom(await join(url)))
    const frame = bytesOf("x")
    expect(await stranger.ask("relay", { room: here, to: bob.address, frame })).toMatchObject({ code: "not-in-room" })
    expect(frames).toEqual([])
  })
})

describe("a sender that does not stop", () => {
  test("is held at a pair's window until the other end takes frames, and then continues", async () => {
    const { bob, send } = await pair()
    const waiting: Take[] = []
    relayed(bob, (answer) => waiting.push(answer))
    const full = [send(QUARTER), send(QUARTER), send(QUARTER), send(QUARTER)]
    expect(await send(bytesOf("x"))).toMatchObject({ ok: false, code: "relay-window" })
    await until(() => expect(waiting.length).toBe(4))
    waiting[0]!({ taken: true })
    expect(await Promise.race(full)).toEqual({ ok: true })
    const next = send(QUARTER)
    await until(() => expect(waiting.length).toBe(5))
    for (const take of waiting) take({ taken: true })
    expect(await Promise.all([...full, next])).toEqual(Array.from({ length: 5 }, () => ({ ok: true })))
  })

  test("is held at the window of a pair with empty frames too", async () => {
    const { bob, send } = await pair()
    relayed(bob, () => {})
    const count = Math.floor(RELAY_PAIR_WINDOW_BYTES / (RELAY_FRAME_COST_BYTES + 1))
    for (let sent = 0; sent < count; sent++) void send(new Uint8Array(1)).catch(() => {})
    expect(await send(new Uint8Array(1))).toMatchObject({ ok: false, code: "relay-window" })
  })

  test("is held at one window for all ends and rooms together", async () => {
    const { url, alice } = await pair()
    const room = await createRoom(alice)
    await enter(alice, room)
    const ends = RELAY_WINDOW_BYTES / RELAY_PAIR_WINDOW_BYTES
    for (let end = 0; end < ends; end++) {
      const other = await enterRoom(url, room)
      relayed(other, () => {})
      for (let quarter = 0; quarter < 4; quarter++)
        void alice.ask("relay", { room, to: other.address, frame: QUARTER }).catch(() => {})
    }
    const last = await enterRoom(url, room)
    const reply = await alice.ask("relay", { room, to: last.address, frame: bytesOf("x") })
    expect(reply).toMatchObject({ ok: false, code: "relay-window" })
  })

  test("leaves each neighbour room for a frame when it fills half the address's window", async () => {
    const { url, here, bob, send } = await pair({ relayUnderWayPerAddress: 2 * RELAY_PAIR_WINDOW_BYTES })
    const waiting: Take[] = []
    relayed(bob, (answer) => waiting.push(answer))
    const full = [send(QUARTER), send(QUARTER), send(QUARTER), send(QUARTER)]
    await until(() => expect(waiting.length).toBe(4))
    const neighbour = await enterRoom(url, here)
    const more = (frame: Uint8Array) => neighbour.ask("relay", { room: here, to: bob.address, frame })
    const first = more(new Uint8Array(RELAY_FRAME_BYTES_MAX))
    await until(() => expect(waiting.length).toBe(5))
    expect(await more(bytesOf("x"))).toMatchObject({ ok: false, code: "relay-window" })
    for (const take of waiting) take({ taken: true })
    expect(await Promise.all([...full, first])).toEqual(Array.from({ length: 5 }, () => ({ ok: true })))
    const next = [more(QUARTER), more(QUARTER)]
    await until(() => expect(waiting.length).toBe(7))
    for (const take of waiting.slice(5)) take({ taken: true })
    expect(await Promise.all(next)).toEqual([{ ok: true }, { ok: true }])
  })

  test("is held at the window of its address when many connections send a frame each", async () => {
    const { url, here, bob, send } = await pair({ relayUnderWayPerAddress: RELAY_PAIR_WINDOW_BYTES / 2 })
    const frames = relayed(bob, () => {})
    const again = async () => (await enterRoom(url, here)).ask("relay", { room: here, to: bob.address, frame: QUARTER })
    for (const sent of [() => send(QUARTER), again]) void sent().catch(() => {})
    await until(() => expect(frames.length).toBe(2))
    expect(await again()).toMatchObject({ ok: false, code: "relay-window" })
  })

  test("waits when it is too fast, and its frames keep their order", async () => {
    const cost = QUARTER.length + RELAY_FRAME_COST_BYTES
    const { bob, send } = await pair({ relayRate: { burst: cost, perSecond: cost * 10 } })
    const frames = relayed(bob)
    const startMs = performance.now()
    const sent = [0, 1, 2, 3].map((number) => QUARTER.slice().fill(number))
    expect(await Promise.all(sent.map((frame) => send(frame)))).toEqual(sent.map(() => ({ ok: true })))
    expect(frames.map(({ frame }) => new Uint8Array(frame)[0])).toEqual([0, 1, 2, 3])
    // No sooner than the rate allows; how much later is the machine's affair.
    expect(performance.now() - startMs).toBeGreaterThan(290)
  })

  test("delays many small frames below the timer resolution, and keeps their order", async () => {
    const cost = 3 + RELAY_FRAME_COST_BYTES
    const { bob, send } = await pair({ relayRate: { burst: cost, perSecond: cost * 3_000 } })
    const frames = relayed(bob)
    const texts = Array.from({ length: 200 }, (_, number) => String(number).padStart(3, "0"))
    await Promise.all(texts.map((text) => send(bytesOf(text))))
    expect(frames.map(({ frame }) => textOf(frame))).toEqual(texts)
  })

  test("is refused when its share is used up, in every room", async () => {
    const cost = QUARTER.length + RELAY_FRAME_CHARGE_BYTES
    const { url, alice, bob, send } = await pair({ relayPerConnection: { burst: 2 * cost, perSecond: 1 } })
    relayed(bob)
    expect([await send(QUARTER), await send(QUARTER)]).toEqual([{ ok: true }, { ok: true }])
    expect(await send(QUARTER)).toMatchObject({ ok: false, code: "relay-quota" })
    const room = await createRoom(alice)
    await enter(alice, room)
    const other = await enterRoom(url, room)
    relayed(other)
    const reply = await alice.ask("relay", { room, to: other.address, frame: QUARTER })
    expect(reply).toMatchObject({ ok: false, code: "relay-quota" })
  })

  test("does not get a fresh share with a fresh connection", async () => {
    const cost = QUARTER.length + RELAY_FRAME_CHARGE_BYTES
    const { url, here, bob, send } = await pair({ relayPerAddress: { burst: 2 * cost, perSecond: 1 } })
    relayed(bob)
    expect([await send(QUARTER), await send(QUARTER)]).toEqual([{ ok: true }, { ok: true }])
    const again = await enterRoom(url, here)
    const reply = await again.ask("relay", { room: here, to: bob.address, frame: QUARTER })
    expect(reply).toMatchObject({ ok: false, code: "relay-quota" })
  })
})

/** Bytes a second of one active member's heartbeats and acknowledgements to so many others, each five times a second. */
const livenessOf = (others: number, heartbeat: number): number =>
  others * 5 * (heartbeat + 100 + 2 * RELAY_FRAME_CHARGE_BYTES)

test("half the window of an address has room for a frame of each of its connections", () => {
  const longest = RELAY_FRAME_BYTES_MAX + RELAY_FRAME_COST_BYTES
  expect(LIMITS.connectionsPerAddressMax * longest).toBeLessThanOrEqual(LIMITS.relayUnderWayPerAddress / 2)
})

test("the share of the relay refills as fast as active members relay their heartbeats", () => {
  expect(livenessOf(23, 1200)).toBeLessThan(LIMITS.relayPerConnection.perSecond)
  expect(12 * livenessOf(11, 700)).toBeLessThan(LIMITS.relayPerAddress.perSecond)
})
