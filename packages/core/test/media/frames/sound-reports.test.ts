import { expect, test } from "vitest"
import { LOOK_MS } from "../../../src/media/worker/media-worker-protocol.ts"
import { RESTING_MS, SOUND_GAP_MS, SoundReports, WATCHED_MS } from "../../../src/media/worker/sound-reports.ts"

/** Times of the reports in so many seconds, and what each says of the first connection. */
function reportsIn(seconds: number, heardAtMs: (nowMs: number) => number | null): (readonly [number, number])[] {
  const reports = new SoundReports()
  const all: (readonly [number, number])[] = []
  for (let nowMs = 0; nowMs < 1000 * seconds; nowMs += LOOK_MS) {
    const atMs = heardAtMs(nowMs)
    const sounds = reports.step(new Map(atMs === null ? [] : [[1, atMs]]), nowMs)
    if (sounds) all.push([nowMs, sounds.get(1)!])
  }
  return all
}

test("reports once a second while a sound comes", () => {
  const everySecond = [0, 1, 2].map((count) => [count * RESTING_MS, 0])
  expect(reportsIn(3, (nowMs) => nowMs - SOUND_GAP_MS + 1)).toEqual(everySecond)
})

test("reports nothing before the first sound", () => {
  expect(reportsIn(3, () => null)).toEqual([])
})

test("reports a silence at each look, then once a second", () => {
  const [first, ...silent] = reportsIn(9, () => 0)
  expect(first).toEqual([0, 0])
  const [fast, slow] = [true, false].map((is) => silent.filter(([atMs]) => atMs < WATCHED_MS === is))
  const looks = Array.from({ length: WATCHED_MS / LOOK_MS }, (_, count) => count * LOOK_MS)
  expect(fast).toEqual(looks.filter((atMs) => atMs >= SOUND_GAP_MS).map((atMs) => [atMs, atMs]))
  expect(slow!.map(([atMs]) => atMs)).toEqual([5950, 6950, 7950, 8950])
})

test("reports at once that a sound has come back, and then rests", () => {
  const back = reportsIn(8, (nowMs) => (nowMs < 7000 ? 0 : nowMs)).filter(([atMs]) => atMs >= 7000)
  expect(back).toEqual([[7000, 0]])
})

test("reports a new connection at once", () => {
  const reports = new SoundReports()
  reports.step(new Map([[1, 0]]), 0)
  const both = [1, 2].map((connection) => [connection, 50] as const)
  expect(reports.step(new Map(both), 50)).toEqual(new Map(both.map(([connection]) => [connection, 0])))
})
