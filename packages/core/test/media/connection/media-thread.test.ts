import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { CHECK_MS, MediaThread, UNANSWERED_CHECKS_MAX } from "../../../src/media/call/media-thread.ts"
import { FakeMediaWorker } from "../fake-media-worker.ts"

let thread: MediaThread
let failures: number
/** Settled promises of counts. */
let answers: number

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("Worker", FakeMediaWorker)
  FakeMediaWorker.isLoading = false
  ;[failures, answers] = [0, 0]
  thread = new MediaThread({} as MessagePort)
  thread.onFailed(() => failures++)
})
afterEach(() => {
  thread.close()
  FakeMediaWorker.isLoading = false
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ask = (): void => void thread.counts().then(() => answers++)
const worker = (): FakeMediaWorker => FakeMediaWorker.last!
/** From now on it answers nothing, as one that has ended. */
const silence = (): boolean => (FakeMediaWorker.isLoading = true)

test("fails once, and settles all counts, when the worker ends after it was loaded", async () => {
  expect(await thread.loaded).toBe(true)
  silence()
  ask()
  worker().fails()
  worker().fails()
  ask()
  await vi.advanceTimersByTimeAsync(0)
  expect([failures, answers, worker().isTerminated]).toEqual([1, 2, true])
})

test("fails when the worker answers nothing for half a minute", async () => {
  await thread.loaded
  await vi.advanceTimersByTimeAsync(3 * UNANSWERED_CHECKS_MAX * CHECK_MS)
  expect(failures).toBe(0)
  silence()
  await vi.advanceTimersByTimeAsync((UNANSWERED_CHECKS_MAX - 1) * CHECK_MS)
  expect(failures).toBe(0)
  await vi.advanceTimersByTimeAsync(2 * CHECK_MS)
  expect([failures, UNANSWERED_CHECKS_MAX * CHECK_MS]).toEqual([1, 30_000])
})

test("has one question on the way when it is asked again and again", async () => {
  await thread.loaded
  silence()
  const before = worker().questions
  for (let count = 0; count < 100; count++) ask()
  expect(worker().questions).toBe(before + 1)
  worker().answers()
  await vi.advanceTimersByTimeAsync(0)
  expect(answers).toBe(100)
})

test("does not fail when its code cannot be loaded, or comes slowly", async () => {
  silence()
  thread.close()
  thread = new MediaThread({} as MessagePort)
  thread.onFailed(() => failures++)
  await vi.advanceTimersByTimeAsync(2 * UNANSWERED_CHECKS_MAX * CHECK_MS)
  worker().fails()
  expect([await thread.loaded, failures]).toEqual([false, 0])
})

test("settles all counts when it is closed, before and afterwards", async () => {
  await thread.loaded
  silence()
  ask()
  thread.close()
  ask()
  await vi.advanceTimersByTimeAsync(UNANSWERED_CHECKS_MAX * CHECK_MS)
  expect([answers, failures]).toEqual([2, 0])
})
