import { generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { describe, expect, vi } from "vitest"
import type { ConnectionListener } from "../src/host/frame-connection.ts"
import type { ConnectionId, RoomAddress } from "../src/port/port.ts"
import { proveRoom, roomVerifier } from "../src/room/room-key-pair.ts"
import {
  conferenceIdOf,
  DESCRIPTOR_BYTES_MAX,
  descriptorHashOf,
  encodeAnnouncedEnd,
  endSigningBytes,
  ENVELOPE_BYTES_MAX,
} from "../src/signaling-protocol/index.ts"
import { bytes, hex, type Member, PATIENT, test } from "./bootstrap-members.ts"
import { serveWithoutWebSocket } from "./hostile-bootstrap.ts"

const address = () => hex() as RoomAddress
const inAnHour = () => Date.now() + 3_600_000

async function conferenceAt(server: string, creator: Member): Promise<string> {
  const descriptor = bytes("d")
  const id = conferenceIdOf(descriptorHashOf(descriptor))
  const reply = await creator.ask({ type: "conference-create", server, id, descriptor, expiresAtMs: inAnHour() })
  expect(reply).toEqual({ ok: true })
  return id
}

describe("with the real server", () => {
  test("a created conference is found by a member that asks before it is connected", async ({ member, serve }) => {
    const { server } = await serve()
    const [alice, bob] = [member(), member()]
    for (const { post } of [alice, bob]) post({ type: "bootstrap-connect", server })
    const room = await conferenceAt(server, alice)
    const reply = await bob.ask({ type: "conference-get", server, id: room })
    expect(reply).toEqual({ ok: true, descriptor: bytes("d") })
    expect(alice.states()).toEqual(["up"])
  })

  test("finds the announced end of a conference beside its descriptor", async ({ member, serve }) => {
    const { server } = await serve()
    const [alice, bob] = [member(), member()]
    for (const { post } of [alice, bob]) post({ type: "bootstrap-connect", server })
    const { publicKey, privateKey } = generateKeyPairSync("ed25519")
    const creatorKey = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url"))
    const descriptor = bytes("d")
    const id = conferenceIdOf(descriptorHashOf(descriptor))
    const creation = { id, descriptor, expiresAtMs: inAnHour(), verifier: roomVerifier(randomBytes(32)), creatorKey }
    expect(await alice.ask({ type: "conference-create", server, ...creation })).toEqual({ ok: true })
    const times = { endsAtMs: 1, saidAtMs: 2 }
    const end = encodeAnnouncedEnd(times, new Uint8Array(sign(null, endSigningBytes(id, times), privateKey)))
    expect(await alice.ask({ type: "conference-end", server, id, end })).toEqual({ ok: true })
    expect(await bob.ask({ type: "conference-get", server, id })).toEqual({ ok: true, descriptor, end })
  })

  test("members with the room's secret all enter, also after a reconnection", async ({ member, serve }) => {
    const first = await serve()
    const { server } = first
    const secret = randomBytes(32)
    const members = Array.from({ length: 8 }, () => member())
    for (const { post } of members) post({ type: "bootstrap-connect", server })
    for (const { until } of members) await until("up")
    const enterAll = async (known: Uint8Array | undefined) => {
      const descriptor = randomBytes(32)
      const id = conferenceIdOf(descriptorHashOf(descriptor))
      const creation = { id, descriptor, expiresAtMs: inAnHour(), verifier: roomVerifier(secret) }
      expect(await members[0]!.ask({ type: "conference-create", server, ...creation })).toEqual({ ok: true })
      const replies = await Promise.all(
        members.map(({ ask, connection }) => {
          const entry = { type: "room-enter", server, room: id, address: address() } as const
          return ask({ ...entry, ...(known && { proof: proveRoom(known, id, entry.address, connection()!) }) })
        }),
      )
      return replies.map((reply) => reply.ok || reply.code)
    }
    expect(await enterAll(secret)).toEqual(members.map(() => true))
    expect((await enterAll(undefined)).filter((outcome) => outcome === "room-full").length).toBe(4)
    expect(await enterAll(randomBytes(32))).toEqual(members.map(() => "bad-proof"))

    await first.close()
    await serve(Number(new URL(server).port))
    for (const { until } of members) await until("up", "down", "up")
    expect(await enterAll(secret)).toEqual(members.map(() => true))
  })

  test("members meet in a room and exchange signals that survive structured cloning", async ({ member, serve }) => {
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

  test("a member behind a middleman that breaks WebSocket gets through all the same", async ({
    member,
    serve,
    finished,
  }) => {
    const { server: direct } = await serve()
    const server = await serveWithoutWebSocket(finished, direct)
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

  test("a leave posted after an enter follows it, even when both wait to connect", async ({ member, serve }) => {
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
    // The address is free again: another client that asks for it gets it.
    expect(await bob.ask({ type: "room-enter", server, room, address: gone })).toEqual({ ok: true })
  })

  test("refusals carry the server's code, and fatal requests are refused locally", async ({ member, serve }) => {
    const { server } = await serve()
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    const create = (descriptor: Uint8Array) =>
      alice.ask({ type: "conference-create", server, id: room, descriptor, expiresAtMs: inAnHour() })
    const room = await conferenceAt(server, alice)
    expect(await create(bytes("d"))).toMatchObject({ ok: false, code: "conference-exists" })
    expect(await create(bytes("other"))).toMatchObject({ ok: false, code: "bad-request" })
    expect(await create(new Uint8Array(DESCRIPTOR_BYTES_MAX + 1))).toMatchObject({ ok: false, code: "too-large" })
    expect(await create(new Uint8Array(10_000_000))).toMatchObject({ ok: false, code: "too-large" })
    expect(await alice.ask({ type: "conference-get", server, id: "no id" })).toMatchObject({ code: "bad-request" })
    expect(alice.states()).toEqual(["up"])
  })

  test("a member sees the server restart on its port, and enters its room again", async ({ member, serve }) => {
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

  test("a link through the server that carries nothing ends with the connection", async ({ member, serve }) => {
    const { server, close } = await serve()
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    await alice.until("up")
    const opening = { type: "relay-open", connectionId: 1 as ConnectionId, server, room: hex(), to: address() } as const
    const onClosed = vi.fn<ConnectionListener["onClosed"]>()
    await new Promise<void>((resolve) => {
      const listener = { onConnected: () => resolve(), onFrame: () => {}, onClosed }
      alice.openRelay!({ ...opening, circuit: 7, answering: true }, listener)
    })
    // The server has answered what opened the link.
    await alice.ask({ type: "conference-get", server, id: hex() })
    await close()
    await alice.until("up", "down")
    expect(onClosed.mock.calls).toEqual([["the server is away", false]])
  })

  test("answers what was asked during an outage when it is back", async ({ member, serve }) => {
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

  test("two connects need two disconnects, and after the last the member has left", async ({ member, serve }) => {
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

  test("a closed end reports nothing more", async ({ member, serve }) => {
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
