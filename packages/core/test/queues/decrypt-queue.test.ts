import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { DecryptQueue, OPENING_BYTES_HIGH, OPENING_FRAMES_HIGH } from "../../src/queues/decrypt-queue.ts"

const [ada, bob] = ["ada", "bob"] as unknown as [MemberId, MemberId]
/** Two members share the bounds. */
const BYTES_MAX = OPENING_BYTES_HIGH / 2
const FRAMES_MAX = OPENING_FRAMES_HIGH / 2
const fail = (error: unknown): never => {
  throw error
}

function setUp() {
  const held: [MemberId, boolean][] = []
  const opened: string[] = []
  const waiting: (() => void)[] = []
  const queue = new DecryptQueue({ fail }, (of, now) => held.push([of, now]))
  queue.share(2)
  const add = (sender: MemberId, name = "", bytes = 1, isOrdered = false): void =>
    queue.addFrame({ sender, bytes, isOrdered }, () => {
      opened.push(name)
      return new Promise((done) => waiting.push(done))
    })
  const open = async (count: number): Promise<void> => {
    for (; count > 0; count--) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0)
      waiting.shift()!()
    }
    await new Promise((done) => setImmediate(done))
  }
  return { queue, held, opened, open, add }
}

test("holds back one sender when its share is full, until half of it is open", async () => {
  const { queue, held, open, add } = setUp()
  const piece = BYTES_MAX / 8
  for (let i = 0; i < 8; i++) add(ada, "", piece)
  expect(queue.bytes).toBe(BYTES_MAX)
  expect(held).toEqual([])
  add(ada, "", piece)
  expect(held).toEqual([[ada, true]])
  await open(4)
  expect(held).toEqual([[ada, true]])
  await open(1)
  expect(held.slice(1)).toEqual([[ada, false]])
  await open(4)
  expect(queue.bytes).toBe(0)
})

test("holds back one sender when too many small frames of it wait", () => {
  const { held, add } = setUp()
  for (let i = 0; i <= FRAMES_MAX; i++) add(ada)
  expect(held).toEqual([[ada, true]])
})

test("takes no more than its share of a sender that has ten times as many bytes", () => {
  const { queue, held, add } = setUp()
  const bytes = BYTES_MAX / 8
  // The sender's delivery waits from the frame on with which it exceeds its share.
  for (let sent = 0; sent < 10 * OPENING_BYTES_HIGH && held.length === 0; sent += bytes) add(ada, "", bytes)
  expect(held).toEqual([[ada, true]])
  expect(queue.bytes).toBe(BYTES_MAX + bytes)
})

test("opens a sender's frame next but one when another has ten times its share waiting", async () => {
  const { opened, open, add } = setUp()
  for (let i = 0; i < 10 * OPENING_FRAMES_HIGH; i++) add(ada, "flood", 1024)
  await open(1)
  add(bob, "a stroke", 1024)
  await open(2)
  expect(opened.slice(0, 3)).toContain("a stroke")
})

test("opens an ordered frame after everything that was delivered before it", async () => {
  const { opened, open, add } = setUp()
  for (const name of ["1", "2", "3"]) add(ada, name)
  add(bob, "fifo")
  add(bob, "agreed", 1, true)
  add(ada, "4")
  await open(6)
  expect(opened.indexOf("fifo")).toBeLessThan(opened.indexOf("3"))
  expect(opened.slice(-2)).toEqual(["agreed", "4"])
})

test("keeps the frames of a view between the events around it", async () => {
  const { queue, opened, open, add } = setUp()
  add(ada, "former")
  queue.add(() => void opened.push("view"))
  add(bob, "later")
  await open(2)
  expect(opened).toEqual(["former", "view", "later"])
})

test("opens nothing of a paused sender until a view event waits behind it", async () => {
  const { queue, opened, open, add } = setUp()
  queue.pause(ada, true)
  add(ada, "paused")
  add(bob, "other")
  await open(1)
  expect(opened).toEqual(["other"])
  queue.add(() => void opened.push("view"))
  await open(1)
  expect(opened).toEqual(["other", "paused", "view"])
})
