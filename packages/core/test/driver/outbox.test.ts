import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Outbox, type Outbound } from "../../src/driver/outbox.ts"
import { BATCH_BYTES_MAX, BATCH_MESSAGES_MAX, type BatchService } from "../../src/multicast/index.ts"

function outbound(kind: number, service: BatchService, bytes = 1): Outbound {
  const message = { channel: "test", kind: kind % 256, payload: new Uint8Array(bytes), sentAtMs: 0 }
  return { message, service, bulk: false, request: kind, delivered: () => {}, failed: () => {} }
}

/** All batches, as the requests in them. */
function drain(outbox: Outbox): (number | null)[][] {
  const batches: (number | null)[][] = []
  while (outbox.length > 0) batches.push(outbox.takeBatch([]).map(({ request }) => request))
  return batches
}

test("a batch has one service, bounded messages and bytes, and keeps the order", () => {
  const outbox = new Outbox()
  const count = BATCH_MESSAGES_MAX + 3
  for (let each = 0; each < count; each++) outbox.push(outbound(each, "agreed"))
  for (const each of [0, 1]) outbox.push(outbound(count + each, "fifo"))
  const half = BATCH_BYTES_MAX / 2
  for (const each of [2, 3, 4]) outbox.push(outbound(count + each, "agreed", half - 100))
  const batches = drain(outbox)
  expect(batches.map(({ length }) => length)).toEqual([BATCH_MESSAGES_MAX, 3, 2, 2, 1])
  expect(batches.flat()).toEqual(Array.from({ length: count + 5 }, (_, each) => each))
})

test("a batch is as small as it is asked to be, and holds one message at least", () => {
  const outbox = new Outbox()
  for (let each = 0; each < 5; each++) outbox.push(outbound(each, "agreed", 1000))
  expect(outbox.takeBatch([], 2500).map(({ request }) => request)).toEqual([0, 1])
  expect(outbox.takeBatch([], 10).map(({ request }) => request)).toEqual([2])
  expect(outbox.takeBatch([], 10 * BATCH_BYTES_MAX).map(({ request }) => request)).toEqual([3, 4])
})

test("an empty one makes an empty batch", () => {
  expect(new Outbox().takeBatch([])).toEqual([])
})

test("a message is sent only among the members it names, and others are not held up", () => {
  const [ada, bob, eve] = ["ada", "bob", "eve"] as MemberId[] as [MemberId, MemberId, MemberId]
  const outbox = new Outbox()
  const failed: string[] = []
  const readers = new Set([ada, bob])
  outbox.push(outbound(0, "agreed"))
  outbox.push({ ...outbound(1, "agreed"), readers, failed: ({ code }) => failed.push(code) })
  outbox.push(outbound(2, "agreed"))
  expect(outbox.takeBatch([ada, bob, eve]).map(({ request }) => request)).toEqual([0, 2])
  expect(failed).toEqual(["unseen-readers"])
  outbox.push({ ...outbound(3, "agreed"), readers })
  expect(outbox.takeBatch([ada]).map(({ request }) => request)).toEqual([3])
})
