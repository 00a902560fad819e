import { describe, expect, vi } from "vitest"
import { DESCRIPTOR_BYTES_MAX, ENVELOPE_BYTES_MAX } from "../src/signaling-protocol/index.ts"
import { bytes, hex, PATIENT, test } from "./bootstrap-members.ts"
import { serveAnotherVersion, serveGarbage, serveHostile } from "./hostile-bootstrap.ts"

/** No server listens there, and no system assigns such a port on request. */
const NOWHERE = "http://127.0.0.1:2"

// Run concurrently, here and below, because they mostly wait: for a request's timeout of ten seconds, and for
// readmission.
describe.concurrent("without a server", () => {
  test("a member hears that it is down and its questions are answered in the end", async ({ member }) => {
    const alice = member()
    alice.post({ type: "bootstrap-connect", server: NOWHERE })
    const reply = alice.ask({ type: "conference-get", server: NOWHERE, id: hex() })
    await alice.until("down")
    expect(await reply).toMatchObject({ ok: false, code: "server-unreachable" })
  })

  test("a link's server that is none is down, and so is one server too many", async ({ member }) => {
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

  test("a member hears that the server speaks another version", async ({ member, finished }) => {
    const newer = await serveAnotherVersion(finished)
    const alice = member()
    alice.post({ type: "bootstrap-connect", server: newer })
    const asked = ["conference-get", "conference-get"] as const
    const replies = await Promise.all(asked.map((type) => alice.ask({ type, server: newer, id: hex() })))
    for (const reply of replies) expect(reply).toMatchObject({ ok: false, code: "other-version" })
    expect(alice.events).toContainEqual({ type: "bootstrap-state", server: newer, state: "down" })
  })

  test("a question that is still open when the member disconnects is answered", async ({ member, finished }) => {
    const silent = await serveHostile(finished, () => {})
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

describe.concurrent("a hostile server", () => {
  test("times out when it never answers", async ({ member, finished }) => {
    const server = await serveHostile(finished, () => {})
    const alice = member()
    alice.post({ type: "bootstrap-connect", server })
    expect(await alice.ask({ type: "conference-get", server, id: hex() })).toMatchObject({ code: "server-unreachable" })
    expect(alice.states()).toEqual(["up"])
  })

  test("is recognised when it answers with garbage", async ({ member, finished }) => {
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
    const server = await serveHostile(finished, (socket) => {
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

  test("delivers nothing when it sends garbage, and well-formed events still arrive", async ({ member, finished }) => {
    const good = { room: hex(), from: hex(), envelope: bytes("x") }
    const server = await serveHostile(finished, (socket) => {
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
      { type: "bootstrap-state", server, state: "up", connection: expect.any(String) },
      { type: "room-signal", server, room: good.room, from: good.from, envelope: good.envelope },
    ])
  })

  test.for(BROKEN_PACKETS)("does no harm when it sends $shown", async ({ packet }, { member, finished }) => {
    let connections = 0
    const server = await serveHostile(finished, (socket) => {
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

  test("is asked again when it turns members away", async ({ member, finished }) => {
    let turnedAway = 0
    const server = await serveHostile(finished, (socket) => {
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
  ])("does no harm and is tried again when its handshake is %s", async (handshake, { member, finished }) => {
    const { url, connections } = await serveGarbage(finished, [handshake, "40{}", `42["signal",null]`, "2", "4"])
    const alice = member()
    alice.post({ type: "bootstrap-connect", server: url })
    await vi.waitFor(() => expect(connections()).toBeGreaterThanOrEqual(3), PATIENT)
    expect(alice.states()).not.toContain("up")
  })
})
