import { expect, it } from "vitest"
import { type Box, freePlace } from "../../src/board/file/placing.ts"

const WANTED: Box = { x: 100, y: 100, width: 200, height: 100 }

it("takes the wanted place when it is free", () => {
  expect(freePlace(WANTED, [{ x: 400, y: 100, width: 10, height: 10 }])).toEqual({ x: 100, y: 100 })
})

it("never puts one of many boxes on another", () => {
  const placed: Box[] = []
  for (let index = 0; index < 40; index++) placed.push({ ...WANTED, ...freePlace(WANTED, placed) })
  for (const [index, one] of placed.entries())
    for (const other of placed.slice(index + 1)) expect(overlap(one, other), JSON.stringify([one, other])).toBe(false)
  // Near the wanted place, and not in one long row.
  expect(Math.max(...placed.map(({ x }) => Math.abs(x - WANTED.x)))).toBeLessThan(1500)
})

it("goes to the right of everything when nothing near is free", () => {
  const wall = { x: -20_000, y: -20_000, width: 40_000, height: 40_000 }
  const place = freePlace(WANTED, [wall])
  expect(overlap({ ...WANTED, ...place }, wall)).toBe(false)
})

function overlap(one: Box, other: Box): boolean {
  const across = one.x < other.x + other.width && other.x < one.x + one.width
  return across && one.y < other.y + other.height && other.y < one.y + one.height
}
