import type { Member } from "@keymoot/core"
import { afterAll, beforeEach, expect, test } from "vitest"
import { BRING_INTERVAL_MS, openBringing } from "../../src/board/showing/bring.ts"
import { slideFrom, slidesOf } from "../../src/board/showing/slides.ts"
import { store } from "../../src/store.ts"
import { closeAll, peopleWith, setRole } from "../room/presentPeople.ts"

const closing = new AbortController()
const people = peopleWith({ Ada: "host", Bob: "editor", Vera: "viewer" })
let nowMs = 0
const open = (name: string) => {
  const following = store<Member["id"] | null>(null)
  return { following, ...openBringing(people[name]!.handle, following, () => nowMs, closing.signal) }
}
const [ada, bob, vera] = [open("Ada"), open("Bob"), open("Vera")]
const everybody = () => [ada, bob, vera].map(({ following }) => following.get())

beforeEach(() => {
  nowMs += BRING_INTERVAL_MS
  for (const { following } of [ada, bob, vera]) following.set(null)
  // All have seen each other.
  for (const { awareness } of Object.values(people)) awareness.setLocalStateField("pointer", nowMs)
})
afterAll(() => {
  closing.abort()
  closeAll(people)
})

test("a host brings everybody else to its view, and each can stop", () => {
  ada.bringEverybody()
  expect(everybody()).toEqual([null, "Ada", "Ada"])
  expect(bob.broughtBy.get()?.name).toBe("Ada")
  bob.following.set(null)
  expect(bob.broughtBy.get()).toBeNull()
})

test.each(["Bob", "Vera"] as const)("does not follow %s, who is no host and brings everybody", (name) => {
  ;(name === "Bob" ? bob : vera).bringEverybody()
  expect(everybody()).toEqual([null, null, null])
})

test("an earlier call of a member does not count once it is a host", () => {
  bob.bringEverybody()
  setRole(people["Bob"]!, "host")
  people["Bob"]!.awareness.setLocalStateField("pointer", 1)
  expect(everybody()).toEqual([null, null, null])
  setRole(people["Bob"]!, "editor")
})

test("a host that calls again and again turns a board once in each interval", () => {
  let turned = 0
  for (let i = 0; i < 100; i++) {
    ada.bringEverybody()
    if (bob.following.get() !== null) turned++
    bob.following.set(null)
    nowMs += BRING_INTERVAL_MS / 10
  }
  expect(turned).toBe(10)
})

test.each([Number.NaN, -1, "2", null, {}])("ignores the call %j", (value) => {
  people["Ada"]!.awareness.setLocalStateField("bring", value)
  expect(everybody()).toEqual([null, null, null])
})

const frame = (id: string, x: number, y: number, isDeleted = false) =>
  ({ id, type: "frame", x, y, height: 100, isDeleted }) as const

test("slides are in reading order, without deleted frames and other shapes", () => {
  const shapes = [frame("c", 0, 300), frame("b", 400, 20), frame("a", 0, 0), frame("gone", 0, 0, true)]
  const all = [...shapes, { ...frame("box", 0, 0), type: "rectangle" }]
  expect(slidesOf(all).map(({ id }) => id)).toEqual(["a", "b", "c"])
})

test("next and previous stop at the ends", () => {
  const slides = slidesOf([frame("a", 0, 0), frame("b", 400, 0)])
  expect([null, "a", "b", "gone"].map((at) => slideFrom(slides, at, 1)?.id)).toEqual(["a", "b", "b", "a"])
  expect([null, "a", "b"].map((at) => slideFrom(slides, at, -1)?.id)).toEqual(["b", "a", "a"])
  expect(slideFrom([], null, 1)).toBeNull()
})
