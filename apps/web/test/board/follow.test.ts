import { expect, it } from "vitest"
import { cameraFor, readSeen } from "../../src/board/follow.ts"

const seen = { x: 100, y: 200, width: 400, height: 300 }

it("shows all that the other sees in the middle of a screen of another shape", () => {
  const { scrollX, scrollY, zoom } = cameraFor(seen, { width: 800, height: 900 })
  expect(zoom).toBe(2)
  const onScreen = (x: number, y: number) => [(x + scrollX) * zoom, (y + scrollY) * zoom]
  expect(onScreen(100, 200)).toEqual([0, 150])
  expect(onScreen(500, 500)).toEqual([800, 750])
})

it("never zooms further than the board can", () => {
  expect(cameraFor({ ...seen, width: 1, height: 1 }, { width: 800, height: 600 }).zoom).toBe(30)
  expect(cameraFor({ ...seen, width: 1e6, height: 1e6 }, { width: 800, height: 600 }).zoom).toBe(0.1)
})

it.each([
  null,
  1,
  {},
  { ...seen, width: 0 },
  { ...seen, x: Number.NaN },
  { ...seen, height: 1e9 },
  { ...seen, y: "0" },
])("a peer's %j is nothing that can be followed", (value) => {
  expect(readSeen(value)).toBeNull()
})

it("a peer's view is taken field by field", () => {
  expect(readSeen({ ...seen, extra: 1 })).toEqual(seen)
})
