import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Companions } from "../../src/engine/companions.ts"

const [ada, bob, cleo] = ["a".repeat(32), "b".repeat(32), "c".repeat(32)] as [MemberId, MemberId, MemberId]

function view(members: readonly MemberId[], transitional: readonly MemberId[]): View {
  return { members: members.map((id) => ({ id, incarnation: 1 })), transitional } as unknown as View
}

test("a newcomer is told by the lowest of those who were together before", () => {
  const companions = new Companions()
  const joined = view([ada, bob, cleo], [bob, cleo])
  companions.onView(joined)
  expect(companions.handsOver(joined, bob, () => true)).toBe("all")
  // Another view of all three, secured too: nobody is new.
  const refreshed = view([ada, bob, cleo], [ada, bob, cleo])
  companions.onView(refreshed)
  expect(companions.handsOver(refreshed, ada, () => true)).toBe("nothing")
})

test("a newcomer is told too when the view in which it came was over before it was secured", () => {
  const companions = new Companions()
  companions.onView(view([bob, cleo], [bob]))
  const next = view([bob, cleo], [bob, cleo])
  companions.onView(next)
  expect(companions.handsOver(next, bob, () => true)).toBe("all")
})

test("who was away in between has missed something, and tells nobody that it had not", () => {
  const companions = new Companions()
  companions.onView(view([bob, cleo], [bob, cleo]))
  companions.onView(view([bob], [bob]))
  const back = view([bob, cleo], [bob])
  companions.onView(back)
  expect(companions.handsOver(back, bob, () => true)).toBe("all")
})

test("another of them tells what it had begun to tell, for the lowest may not have had the end of it", () => {
  const companions = new Companions()
  const joined = view([ada, bob, cleo], [bob, cleo])
  companions.onView(joined)
  expect(companions.handsOver(joined, cleo, () => true)).toBe("unfinished")
})
