import { expect, test } from "vitest"
import { AttemptSchedule } from "../src/host/attempt-schedule.ts"

/** In the middle of the random range. */
const MIDDLE = 0.5

type Attempt = { readonly startMs: number; readonly timeoutMs: number }

/** Attempts without an answer in so long after a connection was lost. */
function attemptsIn(forMs: number, schedule: AttemptSchedule, wasSilent: boolean): Attempt[] {
  schedule.lost(wasSilent, true)
  const attempts: Attempt[] = []
  for (let nowMs = schedule.nextPauseMs(MIDDLE); nowMs < forMs; nowMs += schedule.nextPauseMs(MIDDLE)) {
    const { timeoutMs } = schedule
    attempts.push({ startMs: nowMs, timeoutMs })
    nowMs += timeoutMs
    schedule.failed(false)
  }
  return attempts
}

function connectedWithin(ms: number): AttemptSchedule {
  const schedule = new AttemptSchedule()
  schedule.connected(ms)
  return schedule
}

test("begins short attempts one after another when the server falls silent", () => {
  const attempts = attemptsIn(25_000, connectedWithin(100), true)
  expect(attempts.map(({ timeoutMs }) => timeoutMs)).toEqual([1500, 2250, 3375, 5062.5, 7593.75, 10_000])
  for (const [index, { startMs }] of attempts.entries()) {
    const former = attempts[index - 1]
    if (former) expect(startMs - former.startMs - former.timeoutMs).toBe(300)
  }
})

test("gives an attempt three times as long as the last successful one", () => {
  expect(attemptsIn(5_000, connectedWithin(900), true)[0]).toMatchObject({ timeoutMs: 2_700 })
  expect(attemptsIn(5_000, connectedWithin(8_000), true)[0]).toMatchObject({ timeoutMs: 10_000 })
})

test("begins as many attempts as before in a long outage", () => {
  const silent = attemptsIn(600_000, connectedWithin(100), true).length
  const closed = attemptsIn(600_000, connectedWithin(100), false).length
  expect(silent - closed).toBeLessThanOrEqual(6)
})

test("waits longer and longer when the server closes connections or refuses them", () => {
  for (const wasSilent of [false, true]) {
    const schedule = connectedWithin(100)
    schedule.lost(wasSilent, true)
    if (wasSilent) schedule.failed(true)
    const pauses = Array.from({ length: 7 }, () => {
      const pauseMs = schedule.nextPauseMs(MIDDLE)
      schedule.failed(true)
      return pauseMs
    })
    expect(pauses).toEqual([300, 600, 1200, 2400, 4800, 5000, 5000])
    expect(schedule.timeoutMs).toBe(10_000)
  }
})

test("does not forget failures when a connection ends soon", () => {
  const schedule = connectedWithin(100)
  for (let round = 0; round < 4; round++) {
    schedule.lost(false, false)
    expect(schedule.nextPauseMs(MIDDLE)).toBe(300 * 2 ** round)
    schedule.connected(100)
  }
})
