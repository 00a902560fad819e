import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { DOCUMENTS_INFLATED_BYTES_MAX } from "../../src/client/documents/document-transfers.ts"
import { DOCUMENT_BYTES_MAX } from "../../src/client/documents/document-sender.ts"
import { MessageKind } from "../../src/multicast/message-kind.ts"
import { INFLATE_WAITING_BYTES_MAX, Inflater } from "../../src/wire/compression.ts"
import { deflate, InflationBudget, inflater } from "../../src/wire/index.ts"
import { memberAt, openTarget, packBomb } from "./bombs.ts"

const WAIT = { timeout: 60_000 }
const MiB = 2 ** 20
/** Maximum chunk that the platform returns at once. */
const PART_BYTES_MAX = 64 * 1024

test("stops at the bound when a stream inflates to more", async () => {
  const own = new Inflater()
  const bomb = await deflate(new Uint8Array(64 * MiB))
  expect(bomb.length).toBeLessThan(MiB / 8)
  expect(await own.inflate(bomb, MiB)).toBeNull()
  expect(own.inflatedBytes).toBeLessThanOrEqual(MiB + PART_BYTES_MAX)
})

test("inflates no more than the budget when many streams come at once", async () => {
  const own = new Inflater()
  const bomb = await deflate(new Uint8Array(8 * MiB))
  const budget = new InflationBudget(20 * MiB)
  const inflated = await Promise.all(Array.from({ length: 6 }, () => own.inflate(bomb, 8 * MiB, budget)))
  expect(inflated.map((bytes) => bytes?.length ?? null)).toEqual([8 * MiB, 8 * MiB, null, null, null, null])
  expect(own.inflatedBytes).toBeLessThanOrEqual(20 * MiB + 4 * PART_BYTES_MAX)
  budget.renew()
  expect((await own.inflate(bomb, 8 * MiB, budget))?.length).toBe(8 * MiB)
})

test("begins no stream before the one before it has ended", async () => {
  const own = new Inflater()
  const packed = await deflate(crypto.getRandomValues(new Uint8Array(60_000)))
  const ended: number[] = []
  const before: number[] = []
  await Promise.all(
    [0, 1, 2].map(async (index) => {
      await own.inflate(packed, MiB)
      before.push(own.inflatedBytes)
      ended.push(index)
    }),
  )
  expect(ended).toEqual([0, 1, 2])
  expect(before[0]).toBeLessThan(120_000)
})

test("refuses what waits beyond the bound of the queue", async () => {
  const own = new Inflater()
  const packed = await deflate(new Uint8Array(1))
  const garbage = new Uint8Array(INFLATE_WAITING_BYTES_MAX - packed.length + 1).fill(7)
  const [first, second] = [own.inflate(garbage, 1), own.inflate(packed, 1)]
  expect(await second).toBeNull()
  expect(await first).toBeNull()
  expect(await own.inflate(packed, 1)).toEqual(Uint8Array.of(0))
})

test("queues no more than its bound when ten times as much comes", async () => {
  const own = new Inflater()
  const packed = await deflate(randomBytes(8 * MiB))
  const count = Math.ceil((10 * INFLATE_WAITING_BYTES_MAX) / packed.length)
  const inflated = await Promise.all(Array.from({ length: count }, () => own.inflate(packed, 8 * MiB)))
  const taken = inflated.filter((bytes) => bytes !== null)
  expect(taken).toHaveLength(Math.floor(INFLATE_WAITING_BYTES_MAX / packed.length))
})

test("inflates nothing when a member sends a bomb whose hand-over nobody expects", async () => {
  const { document, events, send } = openTarget(4, 0)
  const bomb = await packBomb()
  const before = inflater.inflatedBytes
  for (let index = 0; index < 4; index++) for (let again = 0; again < 3; again++) send(memberAt(index), bomb)
  await inflater.inflate(new Uint8Array(0), 1)
  expect(inflater.inflatedBytes).toBe(before)
  expect(events.map(({ code, member }) => [code, member])).toEqual(
    [0, 1, 2, 3].map((index) => ["unexpected-history", memberAt(index)]),
  )
  document.close()
})

test("inflates nothing when a bomb is said to be a change", async () => {
  const { document, send } = openTarget(2, 2)
  const before = inflater.inflatedBytes
  send(memberAt(0), await packBomb(), MessageKind.documentChange)
  await inflater.inflate(new Uint8Array(0), 1)
  expect(inflater.inflatedBytes).toBe(before)
  document.close()
})

test("inflates one transfer of a member when it sends several for one view", async () => {
  const { document, events, send } = openTarget(2, 1)
  const bomb = await packBomb()
  const before = inflater.inflatedBytes
  for (let again = 0; again < 5; again++) send(memberAt(0), bomb)
  await expect.poll(() => events.map(({ code }) => code), WAIT).toEqual(["unexpected-history", "invalid-content"])
  expect(inflater.inflatedBytes - before).toBe(DOCUMENT_BYTES_MAX)
  document.close()
})

test("keeps to the budget of a view when all members transfer bombs", async () => {
  const count = (10 * DOCUMENTS_INFLATED_BYTES_MAX) / DOCUMENT_BYTES_MAX
  const { document, events, send } = openTarget(count, count)
  const bomb = await packBomb()
  const before = inflater.inflatedBytes
  for (let index = 0; index < count; index++) send(memberAt(index), bomb)
  await expect.poll(() => events.filter(({ code }) => code === "invalid-content").length, WAIT).toBe(count)
  const firstParts = count * PART_BYTES_MAX
  expect(inflater.inflatedBytes - before).toBeLessThanOrEqual(DOCUMENTS_INFLATED_BYTES_MAX + firstParts)
  document.close()
})

test("takes less than a gigabyte of memory when twelve members transfer bombs", async () => {
  const script = join(import.meta.dirname, "bomb-process.ts")
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=keymoot-source", script, "12"])
  expect(Number(stdout)).toBeGreaterThan(0)
  expect(Number(stdout)).toBeLessThan(900 * MiB)
})
