import type { MemberId } from "@keymoot/core"
import { expect, it } from "vitest"
import { PICTURES_BYTES_MAX, PICTURES_MAX } from "../../src/board/elements/limits.ts"
import { pictureBudget } from "../../src/board/pictures/pictureBudget.ts"

const [ada, bob, carl, eve, gone] = ["ada", "bob", "carl", "eve", "gone"] as [
  MemberId,
  MemberId,
  MemberId,
  MemberId,
  MemberId,
]

/** Takes pictures until no place is left; returns how many. */
function fill(budget: ReturnType<typeof pictureBudget>, owner: MemberId, bytes = 1): number {
  let taken = 0
  for (; budget.hasRoom(owner, bytes); taken++) budget.take(owner, bytes)
  return taken
}

it("lets one person bring most of what a page holds, and never all of it", () => {
  const budget = pictureBudget(() => [ada, bob, eve])
  const greedy = fill(budget, eve)
  expect(greedy).toBeGreaterThan(PICTURES_MAX / 2)
  expect(greedy).toBeLessThan((2 / 3) * PICTURES_MAX)
})

it("keeps a share for each of the others when one has taken all that can be taken", () => {
  const budget = pictureBudget(() => [ada, bob, carl, eve])
  fill(budget, eve)
  for (const owner of [ada, bob, carl, gone]) expect(fill(budget, owner), owner).toBe(PICTURES_MAX / 2 / 5)
})

it("keeps a share of the bytes as well", () => {
  const budget = pictureBudget(() => [ada, eve])
  fill(budget, eve, PICTURES_BYTES_MAX / 30)
  expect(fill(budget, ada, PICTURES_BYTES_MAX / 30)).toBe(5)
})

it("never exceeds the bound of a page when members come and go", () => {
  let here = [ada]
  const budget = pictureBudget(() => here)
  let taken = 0
  for (const owner of [ada, bob, eve, gone]) {
    here = [owner]
    taken += fill(budget, owner)
  }
  expect(taken).toBeLessThanOrEqual(PICTURES_MAX)
})

it("gives absent owners one share together, so that invented owners gain nothing", () => {
  const budget = pictureBudget(() => [ada, eve])
  for (let i = 0; i < 1000; i++) fill(budget, `nobody ${i}` as MemberId)
  expect(fill(budget, ada)).toBeGreaterThanOrEqual(16)
})
