import { describe, expect, it } from "vitest"
import { Person, settle } from "./boardPerson.ts"
import { rectangle } from "../elements.ts"

/** Editors, and a viewer whose whiteboard has given an element another place in the drawing order by itself. */
function withReindexedElement() {
  const [ada, bob, viewer] = [new Person(), new Person(), new Person()]
  viewer.isViewer = true
  ada.draw(rectangle("r"))
  settle(ada, bob, viewer)
  viewer.draw(rectangle("r", { version: 4, versionNonce: 1, index: "a1" }))
  return { ada, bob, viewer }
}

describe("a viewer", () => {
  it("writes nothing when its whiteboard changes elements by itself", () => {
    const { viewer } = withReindexedElement()
    viewer.binding.flush()
    viewer.binding.close()
    expect(viewer.updates).toHaveLength(0)
    expect(viewer.map.get("r")).toEqual(rectangle("r"))
  })

  it("sees others' changes when its own whiteboard has a newer version", () => {
    const { bob, viewer } = withReindexedElement()
    bob.draw(rectangle("r", { version: 4, versionNonce: 50, x: 7 }))
    settle(bob, viewer)
    expect(viewer.see("r")).toMatchObject({ x: 7 })
  })

  it("sends nothing stale when it becomes an editor", () => {
    const { ada, bob, viewer } = withReindexedElement()
    bob.draw(rectangle("r", { version: 4, versionNonce: 50, x: 7 }))
    viewer.draw(rectangle("r", { version: 9, x: 1 }))
    viewer.isViewer = false
    viewer.binding.sceneChanged()
    viewer.frame()
    settle(ada, bob, viewer)
    viewer.timers()
    settle(ada, bob, viewer)
    for (const person of [ada, bob, viewer]) expect(person.see("r")).toMatchObject({ version: 4, x: 7 })
  })

  it("writes what it draws after it became an editor", () => {
    const { ada, viewer } = withReindexedElement()
    viewer.isViewer = false
    viewer.binding.sceneChanged()
    viewer.frame()
    expect(viewer.updates).toHaveLength(0)
    viewer.draw(rectangle("r", { version: 5, x: 8 }))
    settle(ada, viewer)
    expect(ada.see("r")).toMatchObject({ x: 8 })
  })
})
