import { expect, test } from "vitest"
import { CALM_LOOKS, LoadWatch, OVERLOADED_SHARE, STARVED_SHARE } from "../../../src/media/connection/load-watch.ts"

/** Levels of one watch after each of these shares. */
function levels(...shares: readonly number[]): number[] {
  const watch = new LoadWatch()
  return shares.map((share) => {
    const before = watch.level
    expect(watch.step(share)).toBe(watch.level !== before)
    return watch.level
  })
}

const calm = (looks: number): number[] => Array.from({ length: looks }, () => 1)

/** Overloaded, and barely not starved. */
const BUSY = STARVED_SHARE

test("sends less at each look in overload, down to the least", () => {
  expect(levels(0.49, BUSY, 0.3, 0.3)).toEqual([1, 2, 3, 3])
})

test("sends the least at once when the page is starved", () => {
  expect(levels(BUSY - 0.01)).toEqual([3])
})

test("changes nothing between overload and calm", () => {
  expect(levels(0.7, BUSY, 0.7, OVERLOADED_SHARE, 0.84)).toEqual([0, 1, 1, 1, 1])
})

test("sends more only after calm looks in a row", () => {
  expect(CALM_LOOKS).toBe(3)
  expect(levels(BUSY, 1, 1, 0.7, 1, 1, 1)).toEqual([1, 1, 1, 1, 1, 1, 0])
})

test("waits twice as long for another trial when the last one was too much", () => {
  expect(levels(BUSY, ...calm(3), BUSY, ...calm(6)).slice(4)).toEqual([1, 1, 1, 1, 1, 1, 0])
})

test("doubles the wait once for each trial, however long its overload lasts", () => {
  expect(levels(BUSY, ...calm(3), BUSY, BUSY, ...calm(6)).slice(4)).toEqual([1, 2, 2, 2, 2, 2, 2, 1])
})

test("does not blame a trial for an overload long after it", () => {
  expect(levels(BUSY, ...calm(3), ...calm(5), BUSY, ...calm(3)).slice(9)).toEqual([1, 1, 1, 0])
})

test("waits for at most 48 looks", () => {
  const watch = new LoadWatch()
  for (let round = 0; round < 8; round++) {
    watch.step(BUSY)
    for (let look = 0; look < 48; look++) watch.step(1)
    expect(watch.level).toBe(0)
  }
})
