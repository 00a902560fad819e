import { beforeEach, expect, test } from "vitest"
import { ACK_BYTES, ACK_DELAY_MS, ACK_DELAYED_BYTES } from "../../src/bounds/network-bounds.ts"
import { ResumableLink, type SessionControl } from "../../src/network/link/resumable-link.ts"
import type { Connection } from "../../src/network/path/connection.ts"

const TICK_MS = 50
const [OWN, PEER] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)]

let sent: (SessionControl | Uint8Array)[]
let link: ResumableLink
let connection: Connection
let nowMs: number

beforeEach(() => {
  sent = []
  nowMs = 0
  connection = {
    config: { carrier: { type: "webrtc" }, attempt: 1 },
    control: (control: SessionControl) => sent.push(control),
    queue: (bytes: Uint8Array) => sent.push(bytes),
  } as unknown as Connection
  const nothing = () => undefined
  link = new ResumableLink({
    nonce: OWN,
    onUp: nothing,
    onReset: nothing,
    onPath: nothing,
    onMessage: nothing,
    onReady: nothing,
    close: nothing,
    dirty: nothing,
  })
  link.tick(nowMs)
  link.established(connection)
  link.handleControl(connection, { kind: "resume", own: PEER, known: null, received: 0 }, nowMs)
  link.handleControl(connection, { kind: "start", next: 1 }, nowMs)
  sent = []
})

function receive(bytes: number): void {
  expect(link.handleMessage(connection, new Uint8Array(bytes), "reliable")).toBe(null)
}

/** Ticks until something is sent. Milliseconds that this took. */
function ticksUntilSent(): number {
  const sinceMs = nowMs
  while (sent.length === 0 && nowMs - sinceMs < 10 * ACK_DELAY_MS) link.tick((nowMs += TICK_MS))
  return nowMs - sinceMs
}

test("an acknowledgement of little travels with the next message", () => {
  receive(300)
  link.tick((nowMs += TICK_MS))
  expect(sent).toEqual([])
  const message = Uint8Array.of(7)
  link.send(message, "reliable", false)
  expect(sent).toEqual([{ kind: "ack", received: 1 }, message])
  sent = []
  expect(ticksUntilSent()).toBe(10 * ACK_DELAY_MS)
})

test("an acknowledgement of little leaves alone when no message does", () => {
  receive(300)
  expect(ticksUntilSent()).toBe(ACK_DELAY_MS)
  expect(sent).toEqual([{ kind: "ack", received: 1 }])
})

test("a later message does not delay the acknowledgement of an earlier one", () => {
  receive(300)
  link.tick((nowMs += 2 * TICK_MS))
  receive(300)
  expect(ticksUntilSent()).toBe(ACK_DELAY_MS - 2 * TICK_MS)
  expect(sent).toEqual([{ kind: "ack", received: 2 }])
})

test("an acknowledgement of more leaves at the next tick, and of much at once", () => {
  receive(ACK_DELAYED_BYTES)
  expect(ticksUntilSent()).toBe(TICK_MS)
  sent = []
  receive(ACK_BYTES)
  expect(sent).toEqual([{ kind: "ack", received: 2 }])
})
