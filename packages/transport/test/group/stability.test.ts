import { expect, test } from "vitest"
import { ACK_BEHIND_BYTES_MAX, ACK_PATIENCE_MS, SLOWEST_LINE } from "../../src/bounds/network-bounds.ts"
import { Stability } from "../../src/group/stability.ts"
import type { GroupFrame } from "../../src/ordering/frame-store.ts"
import { MessageLog } from "../../src/ordering/message-log.ts"

const OWN = 0
const CHAINS = { frameChains: new Uint8Array(0), orderChain: new Uint8Array(0) }

/** Knowledge of one member about the others of its view. */
function viewOf(members: number) {
  const log = new MessageLog(members)
  const stability = new Stability(members, OWN)
  let sent = 0
  const send = (bytes: number): void => {
    const body = new Uint8Array(bytes)
    const frame = {
      kind: "data",
      service: "fifo",
      sequence: ++sent,
      bytes: body,
      staticPart: body,
      message: { dependencies: [], body },
    }
    expect(log.add(OWN, frame as unknown as GroupFrame)).toBe(true)
  }
  /** The others state that they hold so many of the frames. */
  const acknowledge = (count: number, nowMs: number): void => {
    const received = Array.from({ length: members }, (_, sender) => (sender === OWN ? count : 0))
    const acknowledgement = { received, orderLength: 0, acknowledged: 0, view: "" as never, ...CHAINS }
    for (let other = 1; other < members; other++) stability.acknowledge(other, acknowledgement, log, nowMs)
  }
  const watch = (nowMs: number): void => {
    for (let other = 1; other < members; other++) stability.watch(other, log, nowMs)
  }
  const stalled = (nowMs: number): number[] => stability.stalled(nowMs, ACK_PATIENCE_MS)
  return { send, acknowledge, watch, stalled }
}

test("waits for one long message as long as the slowest line needs, and no longer", () => {
  const { send, watch, acknowledge, stalled } = viewOf(2)
  send(250 * 1024)
  watch(0)
  const dueMs = ACK_PATIENCE_MS + (250 * 1024) / SLOWEST_LINE
  expect([stalled(31_000), stalled(dueMs), stalled(dueMs + 1)]).toEqual([[], [], [1]])
  acknowledge(1, dueMs + 1)
  expect(stalled(10 * dueMs)).toEqual([])
})

test("gives no more time when frames are acknowledged one by one", () => {
  const { send, watch, acknowledge, stalled } = viewOf(2)
  for (let frame = 0; frame < 10; frame++) send(8 * 1024)
  watch(0)
  const dueMs = ACK_PATIENCE_MS + (80 * 1024) / SLOWEST_LINE
  for (let count = 1; count < 10; count++) acknowledge(count, (count * dueMs) / 10)
  expect([stalled(dueMs), stalled(dueMs + 1)]).toEqual([[], [1]])
})

test("blames nobody while the own slow line carries as much to the others", () => {
  const { send, acknowledge, stalled } = viewOf(5)
  const bytes = 64 * 1024
  const allMs = (4 * bytes) / SLOWEST_LINE
  expect(allMs).toBeGreaterThan(ACK_PATIENCE_MS + bytes / SLOWEST_LINE)
  for (let frame = 0; frame < 16; frame++) send(bytes / 16)
  for (let nowMs = 0; nowMs < allMs; nowMs += 100) {
    acknowledge(Math.floor((16 * nowMs) / allMs), nowMs)
    expect(stalled(nowMs)).toEqual([])
  }
})

test("blames nobody while the own slow line still carries what came before", () => {
  const { send, watch, acknowledge, stalled } = viewOf(5)
  const bytes = 32 * 1024
  const eachMs = (4 * bytes) / SLOWEST_LINE
  send(bytes)
  watch(0)
  send(bytes)
  for (let nowMs = 0; nowMs < 2 * eachMs; nowMs += 100) {
    acknowledge(Math.floor(nowMs / eachMs), nowMs)
    expect(stalled(nowMs)).toEqual([])
  }
})

test("is due at the same time when one member sees the long message later", () => {
  const [early, late] = [viewOf(2), viewOf(2)]
  for (const { send, watch } of [early, late]) {
    send(8)
    watch(0)
    send(250 * 1024)
  }
  early.watch(0)
  late.watch(ACK_PATIENCE_MS / 2)
  const dueMs = ACK_PATIENCE_MS + (8 + 250 * 1024) / SLOWEST_LINE
  for (const { stalled } of [early, late]) expect([stalled(dueMs), stalled(dueMs + 1)]).toEqual([[], [1]])
})

test("waits no longer than the bound, however much is held", () => {
  const { send, watch, stalled } = viewOf(8)
  for (let frame = 0; frame < 4; frame++) send(256 * 1024)
  watch(0)
  const latestMs = ACK_PATIENCE_MS + ACK_BEHIND_BYTES_MAX / SLOWEST_LINE
  expect([stalled(latestMs), stalled(latestMs + 1).length]).toEqual([[], 7])
})
