/** Bounds on the messages of one sender that others hold, and retransmit to it. */
import { expect, test } from "vitest"
import { SERVED_BYTES_MAX } from "../../src/group/repair.ts"
import { FRAMES_PER_SENDER_MAX, type GroupFrame } from "../../src/ordering/frame-store.ts"
import { MessageLog } from "../../src/ordering/message-log.ts"
import { heldBytesMax } from "../../src/ordering/window.ts"
import { rememberDigest } from "../../src/wire/frame.ts"
import { Cores, times } from "./cores.ts"

const MEMBERS = 24

function frame(sequence: number, bytes: number): GroupFrame {
  const made = {
    service: "fifo",
    sequence,
    bytes: new Uint8Array(bytes),
    staticPart: new Uint8Array(1),
    message: { dependencies: [] },
  }
  rememberDigest(made as never, new Uint8Array(32))
  return made as unknown as GroupFrame
}

test("holds so many frames of a sender that sends ten times as many", () => {
  const log = new MessageLog(MEMBERS)
  for (let sequence = 1; sequence <= 10 * FRAMES_PER_SENDER_MAX; sequence++) log.add(1, frame(sequence, 1))
  expect(log.frames.held(1).frames).toBe(FRAMES_PER_SENDER_MAX)
})

test("holds so many bytes of a sender that sends ten times as many", () => {
  const log = new MessageLog(MEMBERS)
  const [bytes, bytesMax] = [64 * 1024, heldBytesMax(MEMBERS)]
  for (let sequence = 1; sequence <= (10 * 2 * bytesMax) / bytes; sequence++) log.add(1, frame(sequence, bytes))
  // Up to twice the bound is taken of messages that are next in order.
  expect(log.frames.held(1).bytes).toBeLessThanOrEqual(2 * bytesMax)
  expect(log.frames.held(1).bytes).toBeGreaterThan(2 * bytesMax - bytes)
  expect(log.add(2, frame(1, bytes))).toBe(true)
})

test("serves at most its bound between heartbeats when asked for ten times more", () => {
  const cores = new Cores(3)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 3000)).toBe(true)
  const [ada, mallory, other] = cores.members
  // Undelivered messages are not dropped, however often they are requested.
  cores.step(ada!, { type: "hold", of: other!.id, held: true })
  for (let i = 0; i < 8; i++) cores.send(other!, `${i}`.padEnd(200 * 1024), "fifo")
  cores.run(2 * times.heartbeatMs)
  const { proposal, id: view } = ada!.core.view
  const sender = ada!.core.view.members.findIndex(({ id }) => id === other!.id)
  const asked = { kind: "fetch", origin: mallory!.id, view, message: { proposal, sender, from: 0, to: 8 } }
  let served = 0
  const ROUND_BYTES = 8 * 200 * 1024
  for (let asking = 0; asking < 10 * SERVED_BYTES_MAX; asking += ROUND_BYTES) {
    const outputs = ada!.core.step({ type: "frame", from: mallory!.id, frame: asked, syncs: [] } as never)
    for (const output of outputs) if (output.type === "send") served += output.bytes.length
  }
  expect(served).toBeGreaterThan(SERVED_BYTES_MAX / 2)
  expect(served).toBeLessThan(SERVED_BYTES_MAX + 256 * 1024)
})
