import type { MemberId } from "@keymoot/core"
import { expect, it } from "vitest"
import { PICTURES_BYTES_MAX, PICTURES_HELD_MAX, PICTURES_MAX } from "../../src/board/elements/limits.ts"
import { pictureBudget } from "../../src/board/pictures/pictureBudget.ts"

const [ada, bob, carl, eve, gone] = ["ada", "bob", "carl", "eve", "gone"] as [
  MemberId,
  MemberId,
  MemberId,
  MemberId,
  MemberId,
]

let pictures = 0
/** Takes pictures on the board until no place is left; returns how many. */
function fill(budget: ReturnType<typeof pictureBudget>, owner: MemberId, bytes = 1): number {
  let taken = 0
  for (; budget.hasRoom(owner, bytes); taken++)
    budget.take({ id: `picture ${++pictures}`, owner, bytes, isPlaced: true })
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

it("gives the places of deleted pictures back", () => {
  const budget = pictureBudget(() => [ada])
  const places = fill(budget, ada)
  expect(budget.keepPlaced(new Set())).toBe(true)
  expect(budget.keepPlaced(new Set())).toBe(false)
  expect(fill(budget, ada)).toBe(places)
})

it("keeps the place of a picture that is not on the board yet, until it was there", () => {
  const budget = pictureBudget(() => [ada])
  budget.take({ id: "page 1", owner: ada, bytes: PICTURES_BYTES_MAX / 2, isPlaced: false })
  expect(budget.keepPlaced(new Set())).toBe(false)
  expect(budget.hasRoom(ada, PICTURES_BYTES_MAX / 2)).toBe(false)
  budget.keepPlaced(new Set(["page 1"]))
  expect(budget.keepPlaced(new Set())).toBe(true)
  expect(budget.hasRoom(ada, PICTURES_BYTES_MAX / 2)).toBe(true)
})

it("gives the place of a picture back when no element shows it, until one does", () => {
  const budget = pictureBudget(() => [ada])
  budget.take({ id: "page 1", owner: ada, bytes: PICTURES_BYTES_MAX / 2, isPlaced: false })
  budget.giveUp("page 1")
  expect(budget.keepPlaced(new Set())).toBe(true)
  expect(budget.hasRoom(ada, PICTURES_BYTES_MAX / 2)).toBe(true)
  budget.keepPlaced(new Set(["page 1"]))
  expect(budget.hasRoom(ada, PICTURES_BYTES_MAX / 2)).toBe(false)
})

it("counts a picture again when its deletion is undone", () => {
  const budget = pictureBudget(() => [ada])
  budget.take({ id: "map", owner: ada, bytes: PICTURES_BYTES_MAX / 2, isPlaced: true })
  budget.keepPlaced(new Set())
  budget.keepPlaced(new Set(["map"]))
  expect(budget.hasRoom(ada, PICTURES_BYTES_MAX / 2)).toBe(false)
})

it("leaves the others a share when one adds and deletes pictures for hours", () => {
  const budget = pictureBudget(() => [ada, eve])
  let taken = 0
  for (let hour = 0; hour < 100; hour++) {
    taken += fill(budget, eve)
    budget.keepPlaced(new Set())
  }
  // The page holds deleted ones, too.
  expect(taken).toBeLessThan((2 / 3 + 0.01) * PICTURES_HELD_MAX)
  expect(budget.hasRoom(eve, 1)).toBe(false)
  expect(fill(budget, ada)).toBeGreaterThanOrEqual(16)
})
