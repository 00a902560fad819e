import { afterAll, expect, test } from "vitest"
import { reactionsOf } from "../../src/session/marks.ts"
import { openViewerReactions, readGiven, VIEWER_REACTIONS_MAX } from "../../src/session/room/viewerReactions.ts"
import { closeAll, peopleWith, setRole } from "./presentPeople.ts"

const closing = new AbortController()
const people = peopleWith({ Ada: "host", Vera: "viewer" })
const [ada, vera] = ["Ada", "Vera"].map((name) => openViewerReactions(people[name]!.handle, closing.signal))
const seen = (of: string) =>
  reactionsOf(undefined, ada!.viewerReactions.get().get(of)).map(
    ({ emoji, people }) => `${emoji} ${people.map(({ name }) => name).join()}`,
  )

afterAll(() => {
  closing.abort()
  closeAll(people)
})

test("others see a viewer's reaction, until the viewer takes it back", () => {
  vera!.reactAsViewer("m1", "🎉", true)
  vera!.reactAsViewer("m1", "👍", true)
  expect(seen("m1")).toEqual(["👍 Vera", "🎉 Vera"])
  vera!.reactAsViewer("m1", "👍", false)
  expect(seen("m1")).toEqual(["🎉 Vera"])
})

test("ignores such reactions of an editor, who sends marks", () => {
  setRole(people["Vera"]!, "editor")
  vera!.reactAsViewer("m2", "👍", true)
  expect(seen("m2")).toEqual([])
  setRole(people["Vera"]!, "viewer")
})

test("a viewer's reactions to more messages than the bound replace the first ones", () => {
  for (let i = 0; i < 10 * VIEWER_REACTIONS_MAX; i++) vera!.reactAsViewer(`many ${i}`, "👍", true)
  expect(ada!.viewerReactions.get().size).toBe(VIEWER_REACTIONS_MAX)
  expect(seen(`many ${10 * VIEWER_REACTIONS_MAX - 1}`)).toEqual(["👍 Vera"])
})

test("takes no more than the bound from a changed page, and only known reactions", () => {
  const flood = Object.fromEntries(Array.from({ length: 10 * VIEWER_REACTIONS_MAX }, (_, i) => [`m${i}`, ["👍"]]))
  expect(readGiven(flood).size).toBe(VIEWER_REACTIONS_MAX)
  expect([...readGiven({ m: ["👍", "👍", "rude", 7], n: "👍", ["x".repeat(300)]: ["👍"] })]).toEqual([["m", ["👍"]]])
  expect(readGiven(null).size).toBe(0)
})
