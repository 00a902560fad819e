import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { REOPEN_APART_MS, Reopenings } from "../../src/media/call/reopenings.ts"

const [ADA, BOB] = ["a", "b"] as MemberId[] as [MemberId, MemberId]

test("a member waits only for its own last connection", () => {
  const reopenings = new Reopenings()
  expect(reopenings.waitMs(ADA, 0)).toBe(0)
  reopenings.opened(ADA, 0)
  reopenings.opened(BOB, 400)
  expect([ADA, BOB].map((member) => reopenings.waitMs(member, 600))).toEqual([400, 800])
  reopenings.opened(BOB, REOPEN_APART_MS + 400)
  expect([ADA, BOB].map((member) => reopenings.waitMs(member, REOPEN_APART_MS + 400))).toEqual([0, REOPEN_APART_MS])
})

test("forgets connections that nobody waits for any more", () => {
  const reopenings = new Reopenings()
  for (let i = 0; i < 100; i++) reopenings.opened(`${i}` as MemberId, i * REOPEN_APART_MS)
  expect(reopenings.size).toBe(1)
})
