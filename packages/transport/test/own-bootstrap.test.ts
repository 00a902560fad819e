import { expect, test } from "vitest"
import { createHost } from "../src/host/index.ts"
import type { BootstrapEvent, HostEvent } from "../src/port/port.ts"

/** Returns what the engine hears when an embedder's signalling passes these on. */
function heard(...sent: readonly unknown[]): HostEvent[] {
  const events: HostEvent[] = []
  const host = createHost((event) => events.push(event), {
    wrtc: {} as never,
    bootstrap: (onEvent) => {
      for (const event of sent) onEvent(event as BootstrapEvent)
      return { post: () => undefined, close: () => undefined }
    },
  })
  host.close()
  return events
}

const server = "https://meet.example"
const bytes = new Uint8Array(3)
const EVENTS: readonly BootstrapEvent[] = [
  { type: "bootstrap-state", server, state: "up", connection: "c" },
  { type: "bootstrap-state", server, state: "down" },
  { type: "bootstrap-reply", server, request: 1, reply: { ok: false, code: "unknown-conference", message: "None." } },
  { type: "bootstrap-reply", server, request: 2, reply: { ok: true, descriptor: bytes, ice: { stun: ["stun:a"] } } },
  { type: "room-advertisement", server, room: "r", from: "a" as never, advertisement: bytes },
  { type: "room-signal", server, room: "r", from: "a" as never, envelope: bytes },
]

test("hears the events of an embedder's own signalling", () => {
  expect(heard(...EVENTS)).toEqual(EVENTS)
})

test.each(["peer-signal", "peer-connected", "peer-frames", "peer-closed", "constructor", "__proto__"])(
  "does not let a signalling server report a connection's event %s",
  (type) => {
    expect(heard({ type, server, link: 1, signal: {}, frames: [bytes], byPeer: true, reason: "closed" })).toEqual([])
  },
)

test("drops events of an embedder's own signalling whose fields have other types", () => {
  const wrong = [
    null,
    "up",
    {},
    { type: "bootstrap-state", state: "up" },
    { type: "bootstrap-state", server, state: "sideways" },
    { type: "bootstrap-state", server, state: "up", connection: 1 },
    { type: "bootstrap-reply", server, request: "1", reply: { ok: true } },
    { type: "bootstrap-reply", server, request: 1, reply: null },
    { type: "bootstrap-reply", server, request: 1, reply: { ok: false, code: "x" } },
    { type: "bootstrap-reply", server, request: 1, reply: { ok: true, descriptor: "text" } },
    { type: "bootstrap-reply", server, request: 1, reply: { ok: true, ice: { stun: "stun:a" } } },
    { type: "bootstrap-reply", server, request: 1, reply: { ok: true, ice: { stun: [], turn: { urls: [1] } } } },
    { type: "room-advertisement", server, room: "r", from: "a", advertisement: [1] },
    { type: "room-signal", server, room: 1, from: "a", envelope: bytes },
  ]
  expect(heard(...wrong)).toEqual([])
})
