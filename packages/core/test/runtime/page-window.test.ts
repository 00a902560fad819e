import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { BatchAcknowledger } from "../../src/client/connection/engine-connection.ts"
import type { BatchTaken } from "../../src/rpc/protocol.ts"
import {
  PAGE_BATCHES_MAX,
  PAGE_BYTES_MAX,
  PAGE_MS_BURST,
  PAGE_MS_PER_SECOND,
  PageWindow,
} from "../../src/runtime/page.ts"

const [ada, mallory] = ["ada", "mallory"] as unknown as [MemberId, MemberId]

function page() {
  const paused = new Set<MemberId>()
  const window = new PageWindow({
    take: (pause) => void (pause.paused ? paused.add(pause.sender) : paused.delete(pause.sender)),
  })
  /** As many as it may, in all ten times what it should. */
  const flood = (bytes: number): number => {
    let told = 0
    const batches = Math.min(10 * PAGE_BATCHES_MAX, (10 * PAGE_BYTES_MAX) / bytes)
    for (; told < batches && !paused.has(mallory); told++) window.sent(mallory, bytes)
    return told
  }
  return { window, paused, flood }
}

test("tells a page that answers nothing so many batches of one sender and no more", () => {
  const { flood } = page()
  expect(flood(1)).toBe(PAGE_BATCHES_MAX)
})

test("tells a page that answers nothing so many bytes of one sender and no more", () => {
  const { flood } = page()
  expect(flood(PAGE_BYTES_MAX / 4)).toBe(4)
})

test("continues with a sender when the page has answered", () => {
  const { window, paused, flood } = page()
  flood(1)
  window.answered(mallory, 1, 0)
  expect(paused.has(mallory)).toBe(false)
})

test("continues with other senders when one has too much unanswered", () => {
  const { window, paused, flood } = page()
  flood(1)
  window.sent(ada, 1)
  expect([...paused]).toEqual([mallory])
})

test("gives one sender half of the page's time when each of its batches takes long", () => {
  const { window, paused } = page()
  const SECONDS = 60
  let workedMs = 0
  for (let nowMs = 0; nowMs < SECONDS * 1000; nowMs += 50) {
    window.tick(nowMs)
    // Work for ten times as long as the page may spend on it.
    for (let ms = 0; ms < (10 * PAGE_MS_PER_SECOND * 50) / 1000 && !paused.has(mallory); ms += 10) {
      window.sent(mallory, 1)
      window.answered(mallory, 1, 10)
      workedMs += 10
    }
  }
  expect(workedMs).toBeLessThanOrEqual(PAGE_MS_BURST + SECONDS * PAGE_MS_PER_SECOND + 10)
  expect(workedMs).toBeGreaterThan(SECONDS * PAGE_MS_PER_SECOND * 0.9)
})

test("does not wait for a large board that takes less than the burst", () => {
  const { window, paused } = page()
  window.sent(ada, 1)
  window.answered(ada, 1, PAGE_MS_BURST - 1)
  expect(paused.has(ada)).toBe(false)
})

test("answers a batch with the time of its events and of those they queue", async () => {
  const answers: BatchTaken[] = []
  let nowMs = 0
  const taking = new BatchAcknowledger(
    (answer) => answers.push(answer),
    () => nowMs,
  )
  taking.begin()
  nowMs += 3
  queueMicrotask(() => (nowMs += 4))
  taking.end("conference", mallory, 10)
  await new Promise((done) => setImmediate(done))
  expect(answers).toEqual([{ type: "taken", id: "conference", from: mallory, bytes: 10, tookMs: 7 }])
})

test("does not count the time between two turns", async () => {
  const answers: BatchTaken[] = []
  let nowMs = 0
  const taking = new BatchAcknowledger(
    (answer) => answers.push(answer),
    () => nowMs,
  )
  taking.begin()
  await new Promise((done) => setImmediate(done))
  nowMs += 1000
  taking.begin()
  taking.end("conference", mallory, 10)
  await new Promise((done) => setImmediate(done))
  expect(answers.map(({ tookMs }) => tookMs)).toEqual([0])
})
