import type { View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Outbox, type Outbound, type Permission, type SendOutcome } from "../../src/driver/outbox.ts"
import { KeymootError } from "../../src/api/index.ts"
import { BATCH_BYTES_MAX, BATCH_MESSAGES_MAX, type BatchService } from "../../src/multicast/batch.ts"

const ANY = {} as View

function outbound(kind: number, service: BatchService, bytes = 1): Outbound {
  const message = { channel: "test", kind: kind % 256, payload: new Uint8Array(bytes), sentAtMs: 0 }
  return { message, service, bulk: false, request: kind, outcome: { take: () => {} } }
}

/** All batches, as the requests in them. */
function drain(outbox: Outbox): (number | null)[][] {
  const batches: (number | null)[][] = []
  while (outbox.length > 0) batches.push(outbox.takeBatch(ANY).map(({ request }) => request))
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
  expect(outbox.takeBatch(ANY, 2500).map(({ request }) => request)).toEqual([0, 1])
  expect(outbox.takeBatch(ANY, 10).map(({ request }) => request)).toEqual([2])
  expect(outbox.takeBatch(ANY, 10 * BATCH_BYTES_MAX).map(({ request }) => request)).toEqual([3, 4])
})

test("an empty one makes an empty batch", () => {
  expect(new Outbox().takeBatch(ANY)).toEqual([])
})

test("a message that must not be sent in a view fails, and others are not held up", () => {
  const outbox = new Outbox()
  const failed: string[] = []
  const take = (result: SendOutcome): void => void (result.type === "failed" && failed.push(result.error.code))
  const permission = (): Permission => new KeymootError("unseen-readers", "Somebody joined.")
  outbox.push(outbound(0, "agreed"))
  outbox.push({ ...outbound(1, "agreed"), permission, outcome: { take } })
  outbox.push(outbound(2, "agreed"))
  expect(outbox.takeBatch(ANY).map(({ request }) => request)).toEqual([0, 2])
  expect(failed).toEqual(["unseen-readers"])
  expect([outbox.length, outbox.bytes]).toEqual([0, 0])
})

test("a message that waits for another view keeps its place and holds up no others", () => {
  const outbox = new Outbox()
  const permission = (view: View): Permission => (view === ANY ? "later" : "now")
  const waiting = [1, 3].map((request) => ({ ...outbound(request, "agreed"), permission }))
  outbox.push(waiting[0]!)
  outbox.push(outbound(2, "agreed"))
  outbox.push(waiting[1]!)
  expect(outbox.takeBatch(ANY).map(({ request }) => request)).toEqual([2])
  expect(outbox.takeBatch(ANY)).toEqual([])
  outbox.push(outbound(4, "agreed"))
  expect([outbox.length, outbox.bytes]).toEqual([3, 3])
  expect(outbox.takeBatch({ ...ANY }).map(({ request }) => request)).toEqual([1, 3, 4])
})
