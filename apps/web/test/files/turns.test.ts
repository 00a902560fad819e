import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { drawInTurn, TURN_MAX_MS } from "../../src/files/turns.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A picture that is drawn when the test says so. */
function picture() {
  let isBegun = false
  let resolve!: (content: string) => void
  let reject!: (error: Error) => void
  const promise = new Promise<string>((...ends) => ([resolve, reject] = ends))
  const drawn = drawInTurn(() => {
    isBegun = true
    return promise
  })
  return { drawn, resolve, reject, isBegun: () => isBegun }
}

it("draws one picture after another", async () => {
  const [first, second] = [picture(), picture()]
  await vi.advanceTimersByTimeAsync(TURN_MAX_MS - 1)
  expect([first.isBegun(), second.isBegun()]).toEqual([true, false])
  first.resolve("first")
  await vi.advanceTimersByTimeAsync(0)
  expect(second.isBegun()).toBe(true)
  second.resolve("second")
  expect(await Promise.all([first.drawn, second.drawn])).toEqual(["first", "second"])
})

it("draws the next picture when one fails", async () => {
  const [first, second] = [picture(), picture()]
  first.reject(new Error("broken"))
  second.resolve("second")
  await expect(first.drawn).rejects.toThrow("broken")
  expect(await second.drawn).toBe("second")
})

it("draws the next picture when one never ends, and that one still ends later", async () => {
  const [stuck, second, third] = [picture(), picture(), picture()]
  await vi.advanceTimersByTimeAsync(TURN_MAX_MS)
  expect([second.isBegun(), third.isBegun()]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(TURN_MAX_MS)
  expect(third.isBegun()).toBe(true)
  for (const each of [stuck, second, third]) each.resolve("drawn")
  expect(await stuck.drawn).toBe("drawn")
})

it("holds three pictures at most when none of many ends", async () => {
  const pictures = Array.from({ length: 10 }, picture)
  const begun = () => pictures.filter(({ isBegun }) => isBegun()).length
  await vi.advanceTimersByTimeAsync(10 * TURN_MAX_MS)
  expect(begun()).toBe(3)
  pictures[1]!.resolve("drawn")
  await vi.advanceTimersByTimeAsync(10 * TURN_MAX_MS)
  expect(begun()).toBe(4)
  for (const { resolve } of pictures) resolve("drawn")
  await Promise.all(pictures.map(({ drawn }) => drawn))
})
