import { expect, test } from "vitest"
import { PATH_SILENT_MS } from "../../../src/bounds/network-bounds.ts"
import { Hearing } from "../../../src/network/path/hearing.ts"

const TICK_MS = 50

/** How often the other end is shown that it is heard, within three seconds of pieces in each tick. */
function shown(isReceiving: boolean): number {
  const hearing = new Hearing()
  let count = 0
  for (let nowMs = 0; nowMs < 3_000; nowMs += TICK_MS) {
    hearing.add(1_000, isReceiving)
    expect([hearing.take(), hearing.take()]).toEqual([1_000, 0])
    if (hearing.takeShowing(nowMs)) count++
  }
  return count
}

test("shows a sender that it is heard while part of a message comes", () => {
  expect(shown(true)).toBe(Math.ceil(3_000 / (PATH_SILENT_MS / 2)))
})

test("shows nothing when messages come whole, as at rest", () => {
  expect(shown(false)).toBe(0)
})
