import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { TransitionalSet } from "../../src/history/transitional-set.ts"

const [ada, bob, cleo] = ["a".repeat(32), "b".repeat(32), "c".repeat(32)] as [MemberId, MemberId, MemberId]

function view(members: readonly MemberId[], transitional: readonly MemberId[]): View {
  return { members: members.map((id) => ({ id, incarnation: 1 })), transitional } as unknown as View
}

test("gives a newcomer everything from the lowest continuing member", () => {
  const set = new TransitionalSet()
  const joined = view([ada, bob, cleo], [bob, cleo])
  set.onView(joined)
  expect(set.transferScope(joined, bob, () => true)).toBe("all")
  // Another view of all three, secured too: nobody is new.
  const refreshed = view([ada, bob, cleo], [ada, bob, cleo])
  set.onView(refreshed)
  expect(set.transferScope(refreshed, ada, () => true)).toBe("nothing")
})

test("sends history to a newcomer whose first view ended before it was secured", () => {
  const set = new TransitionalSet()
  set.onView(view([bob, cleo], [bob]))
  const next = view([bob, cleo], [bob, cleo])
  set.onView(next)
  expect(set.transferScope(next, bob, () => true)).toBe("all")
})

test("transfers everything when a member was away in between", () => {
  const set = new TransitionalSet()
  set.onView(view([bob, cleo], [bob, cleo]))
  set.onView(view([bob], [bob]))
  const back = view([bob, cleo], [bob])
  set.onView(back)
  expect(set.transferScope(back, bob, () => true)).toBe("all")
})

test("another member repeats a transfer that the lowest may not have completed", () => {
  const set = new TransitionalSet()
  const joined = view([ada, bob, cleo], [bob, cleo])
  set.onView(joined)
  expect(set.transferScope(joined, cleo, () => true)).toBe("unfinished")
})
