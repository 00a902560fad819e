import type { Member } from "@keymoot/core"
import { afterAll, beforeEach, expect, test } from "vitest"
import { openPresence } from "../../src/session/presence.ts"
import { store } from "../../src/store.ts"
import { closeAll, peopleWith } from "./presentPeople.ts"

const closing = new AbortController()
const people = peopleWith({ Ada: "host", Bob: "editor", Mallory: "editor" })
const open = (name: string) => openPresence(people[name]!.handle, store(""), closing.signal)
const [ada, bob, mallory] = [open("Ada"), open("Bob"), open("Mallory")]
const id = (name: string) => name as Member["id"]
const seenUp = () => [ada, bob, mallory].map(({ doing }) => doing.get().get(id("Bob"))?.hand ?? false)

beforeEach(() => bob.raiseHand(true))
afterAll(() => {
  closing.abort()
  closeAll(people)
})

test("a host lowers a hand on every screen, and tells whose hand it was", () => {
  expect(seenUp()).toEqual([true, true, true])
  ada.lowerHand(id("Bob"))
  expect(seenUp()).toEqual([false, false, false])
  expect(bob.loweredBy.get()?.name).toBe("Ada")
})

test("a lowered hand can be raised again", () => {
  ada.lowerHand(id("Bob"))
  bob.raiseHand(true)
  expect(seenUp()).toEqual([true, true, true])
  expect(bob.loweredBy.get()).toBeNull()
})

test("keeps a hand up when a member that is no host lowers it", () => {
  bob.raiseHand(true)
  mallory.lowerHand(id("Bob"))
  expect(seenUp()).toEqual([true, true, true])
  expect(bob.loweredBy.get()).toBeNull()
})

test("shows a hand as lowered when its own page does not obey", () => {
  const raised = people["Bob"]!.awareness.getLocalState()!
  ada.lowerHand(id("Bob"))
  people["Bob"]!.awareness.setLocalState(raised)
  expect(ada.doing.get().get(id("Bob"))?.hand ?? false).toBe(false)
})

test.each([[null], [7], [["Bob"]], [{ Bob: "1" }], [JSON.parse('{"__proto__":{"Bob":1}}')]])(
  "ignores lowered hands that are %j",
  (lowered) => {
    bob.raiseHand(true)
    people["Ada"]!.awareness.setLocalStateField("lowered", lowered)
    expect(seenUp()).toEqual([true, true, true])
  },
)
