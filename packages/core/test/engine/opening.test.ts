import { expect, test } from "vitest"
import { Opening, OPENING_BYTES_HIGH, OPENING_BYTES_LOW, OPENING_FRAMES_HIGH } from "../../src/engine/opening.ts"

function opening(): {
  queue: Opening
  held: boolean[]
  open: (count: number) => Promise<void>
  add: (bytes: number) => void
} {
  const held: boolean[] = []
  const waiting: (() => void)[] = []
  const fail = (error: unknown): never => {
    throw error
  }
  const queue = new Opening({ hold: (now) => held.push(now), fail })
  const add = (bytes: number): void => queue.addFrame(bytes, () => new Promise((done) => waiting.push(done)))
  const open = async (count: number): Promise<void> => {
    for (; count > 0; count--) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0)
      waiting.shift()!()
    }
    await new Promise((done) => setImmediate(done))
  }
  return { queue, held, open, add }
}

test("too much that waits to be opened holds the group's delivery back, until half of it is open", async () => {
  const { queue, held, open, add } = opening()
  const piece = OPENING_BYTES_LOW / 4
  for (let i = 0; i < 8; i++) add(piece)
  expect(queue.bytes).toBe(OPENING_BYTES_HIGH)
  expect(held).toEqual([])
  add(piece)
  expect(held).toEqual([true])
  await open(4)
  expect(held).toEqual([true])
  await open(1)
  expect(held).toEqual([true, false])
  await open(4)
  expect(queue.bytes).toBe(0)
})

test("so do too many small ones", async () => {
  const { held, add } = opening()
  for (let i = 0; i <= OPENING_FRAMES_HIGH; i++) add(1)
  expect(held).toEqual([true])
})
