import { describe, expect, it } from "vitest"
import { encodeStateAsUpdate } from "yjs"
import { ELEMENTS_MAX } from "../../../src/board/sync/binding.ts"
import { LIVE_VERSION_MAX, TEXT_LENGTH_MAX, VERSION_MAX } from "../../../src/board/elements/limits.ts"
import { TOMBSTONE_AGE_MS_MIN, TOMBSTONES_MAX } from "../../../src/board/sync/tombstones.ts"
import { Person, settle } from "./boardPerson.ts"
import { picture, rectangle, stroke, text } from "../elements.ts"

describe("a board shared by two", () => {
  it("shows on one screen what is drawn on the other", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(rectangle("r"), stroke("s", { index: "a1" }))
    settle(ada, bob)
    expect(bob.scene).toEqual([rectangle("r"), stroke("s", { index: "a1" })])
  })

  it("shows what was there before to somebody who comes later", () => {
    const ada = new Person()
    ada.draw(rectangle("r"))
    const late = new Person()
    late.receive([encodeStateAsUpdate(ada.doc)])
    expect(late.see("r")).toEqual(rectangle("r"))
  })

  it("writes only what changed, in one transaction a frame", () => {
    const ada = new Person()
    ada.draw(rectangle("r"), rectangle("q", { index: "a1" }))
    expect(ada.updates).toHaveLength(1)
    ada.draw(rectangle("r", { version: 4, x: 11 }))
    expect(ada.updates).toHaveLength(2)
    ada.frame()
    expect(ada.updates).toHaveLength(2)
  })

  it("does not send back what it received", () => {
    const [ada, bob] = [new Person(), new Person()]
    for (const [shown, version] of [1, 2].entries()) {
      ada.draw(rectangle("r", { version }))
      bob.receive(ada.updates.splice(0))
      bob.frame()
      expect(bob.updates).toHaveLength(0)
      expect(bob.shown).toBe(shown + 1)
    }
  })

  it("shows the start of another's drawing at once, and the rest with the next frames", () => {
    const [ada, bob] = [new Person(), new Person()]
    const draw = (version: number) => {
      ada.draw(rectangle("r", { version }))
      bob.receive(ada.updates.splice(0))
    }
    for (const version of [1, 2, 3]) draw(version)
    // The binding checks the shown elements once more, and is idle after that.
    for (let i = 0; i < 2; i++) bob.frame()
    draw(4)
    expect(bob.atOnce).toEqual([true, false, false, true])
  })

  it("waits with a line of one point until it is a line", () => {
    const ada = new Person()
    ada.draw(rectangle("l", { type: "line", points: [[0, 0]] }))
    expect(ada.map.has("l")).toBe(false)
  })

  it("copies the scene's objects, which Excalidraw changes in place", () => {
    const ada = new Person()
    const mine = rectangle("r")
    ada.draw(mine)
    ;(mine as { x: number }).x = 99
    expect(ada.map.get("r")).toEqual(rectangle("r"))
  })

  it("writes a growing stroke less often the longer it is, and its end without fail", () => {
    const ada = new Person()
    const points = Array.from({ length: 10_000 }, (_, i) => [i, 0])
    ada.draw(stroke("s", { points }))
    ada.draw(stroke("s", { points, version: 4 }))
    expect(ada.updates).toHaveLength(1)
    for (let i = 0; i < 20; i++) ada.frame()
    expect(ada.updates).toHaveLength(2)
    expect(ada.map.get("s")).toMatchObject({ version: 4 })
  })

  it("writes at once when the tab is hidden or the board is closed", () => {
    const ada = new Person()
    ada.scene = [rectangle("r")]
    ada.binding.close()
    expect(ada.map.has("r")).toBe(true)
  })
})

describe("an own element that others would reject", () => {
  const tooLong = "a".repeat(TEXT_LENGTH_MAX + 1)

  it("is reported, and no more once it is short enough", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(text("t", { text: tooLong }), rectangle("r"))
    settle(ada, bob)
    expect(bob.scene.map(({ id }) => id)).toEqual(["r"])
    expect(ada.unshared).toBe(1)
    ada.draw(text("t", { version: 4 }))
    settle(ada, bob)
    expect(bob.see("t")).toBeDefined()
    expect(ada.unshared).toBe(0)
  })

  it("is reported no more after it was deleted or another's change replaced it", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(text("t"), text("u"))
    settle(ada, bob)
    ada.draw(text("t", { version: 4, text: tooLong }), text("u", { version: 4, text: tooLong }))
    expect(ada.unshared).toBe(2)
    ada.draw(text("t", { version: 5, text: tooLong, isDeleted: true }))
    expect(ada.unshared).toBe(1)
    bob.draw(text("u", { version: 9 }))
    settle(ada, bob)
    expect(ada.unshared).toBe(0)
  })

  it("is deleted on every screen when its person deletes it", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(text("t"), text("never-shared", { text: tooLong }))
    settle(ada, bob)
    ada.draw(text("t", { version: 4, text: tooLong }))
    const deleted = { version: 5, versionNonce: 9, updated: 1_800_000_000_000, isDeleted: true }
    ada.draw(text("t", { ...deleted, text: tooLong }), text("never-shared", { ...deleted, text: tooLong }))
    settle(ada, bob)
    expect(bob.scene).toEqual([text("t", deleted)])
  })

  it("is reported only when its person has finished it", () => {
    const ada = new Person()
    ada.hand.add("t")
    ada.draw(text("t", { text: tooLong }))
    expect(ada.unshared).toBe(0)
    ada.hand.clear()
    ada.binding.sceneChanged()
    ada.frame()
    expect(ada.unshared).toBe(1)
  })

  it("is not reported here when it is a picture, whose file is still being shared", () => {
    const ada = new Person()
    ada.draw(picture("p", { fileId: "local" }))
    expect(ada.map.has("p")).toBe(false)
    expect(ada.unshared).toBe(0)
  })
})

describe("two who change the same element at once", () => {
  it("end with the same: the higher version, then the lower nonce", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(rectangle("r"))
    settle(ada, bob)
    ada.draw(rectangle("r", { version: 5, versionNonce: 9, x: 1 }))
    bob.draw(rectangle("r", { version: 5, versionNonce: 8, x: 2 }))
    settle(ada, bob)
    expect(ada.see("r")).toMatchObject({ x: 2 })
    expect(bob.see("r")).toMatchObject({ x: 2 })
    expect(ada.map.get("r")).toEqual(bob.map.get("r"))
    expect(ada.map.get("r")).toMatchObject({ x: 2 })
  })

  it("do not lose an element that one of them still holds in the hand", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(stroke("s"))
    settle(ada, bob)
    ada.hand.add("s")
    bob.draw(stroke("s", { version: 9, isDeleted: true }))
    settle(ada, bob)
    expect(ada.see("s")).toMatchObject({ isDeleted: false })
    ada.draw(stroke("s", { version: 5, x: 42 }))
    ada.hand.clear()
    ada.binding.sceneChanged()
    ada.frame()
    settle(ada, bob)
    expect(ada.see("s")).toMatchObject({ x: 42, isDeleted: false })
    expect(bob.see("s")).toMatchObject({ x: 42, isDeleted: false })
  })

  it("take over the other's change if the hand changed nothing", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(rectangle("r"))
    settle(ada, bob)
    ada.hand.add("r")
    bob.draw(rectangle("r", { version: 9, x: 7 }))
    settle(ada, bob)
    ada.hand.clear()
    ada.binding.sceneChanged()
    ada.frame()
    expect(ada.see("r")).toMatchObject({ x: 7 })
  })
})

describe("a hostile member", () => {
  it("is not shown what is no element, is counted, and stops nobody's drawing", () => {
    const [ada, bob] = [new Person(), new Person()]
    bob.map.set("evil", { id: "evil", type: "freedraw" })
    bob.map.set("__proto__", rectangle("__proto__"))
    bob.map.set("text", "nonsense")
    bob.draw(rectangle("good"))
    settle(bob, ada)
    expect(ada.scene.map((element) => element.id)).toEqual(["good"])
    expect(ada.invalid).toBe(3)
  })

  it("cannot set an element back, since its author writes the newer version again", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(rectangle("r", { version: 8, x: 1 }))
    settle(ada, bob)
    bob.map.set("r", rectangle("r", { version: 2, x: 2 }))
    settle(ada, bob)
    expect(ada.map.get("r")).toMatchObject({ version: 8, x: 1 })
    expect(bob.map.get("r")).toMatchObject({ version: 8, x: 1 })
  })

  it("cannot set it back after its author has left, since others write it again", () => {
    const [ada, bob, eve] = [new Person(), new Person(), new Person()]
    ada.draw(rectangle("r", { version: 8, x: 1 }))
    settle(ada, bob, eve)
    eve.map.set("r", rectangle("r", { version: 2, x: 2 }))
    settle(bob, eve)
    expect(bob.updates).toHaveLength(0)
    bob.timers()
    settle(bob, eve)
    expect(bob.map.get("r")).toMatchObject({ version: 8 })
    expect(eve.map.get("r")).toMatchObject({ version: 8 })
  })

  it("cannot stop others drawing with an invalid index, since it is put on top", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(rectangle("r", { index: "a5" }))
    bob.map.set("e", rectangle("e", { index: "zzz!" }))
    settle(bob, ada)
    expect(ada.scene.map((element) => element.id)).toEqual(["r", "e"])
    expect(ada.see("e")?.index).toBe("a6")
    expect(ada.see("e")?.version).toBe(3)
  })

  it("cannot make an element that nobody can delete", () => {
    const [ada, bob, eve] = [new Person(), new Person(), new Person()]
    const versions = [LIVE_VERSION_MAX, LIVE_VERSION_MAX + 1, VERSION_MAX]
    for (const version of versions) eve.map.set(`e${version}`, rectangle(`e${version}`, { version }))
    settle(eve, ada, bob)
    expect(ada.scene.map(({ version }) => version)).toEqual([LIVE_VERSION_MAX])
    for (const element of ada.scene) ada.draw({ ...element, version: element.version + 1, isDeleted: true })
    settle(ada, bob)
    expect(bob.scene.filter(({ isDeleted }) => !isDeleted)).toEqual([])
  })

  it("cannot fill the board without end", () => {
    const [ada, bob] = [new Person(), new Person()]
    bob.doc.transact(() => {
      for (let i = 0; i < ELEMENTS_MAX + 5; i++) bob.map.set(`e${i}`, rectangle(`e${i}`))
    })
    settle(bob, ada)
    expect(ada.scene).toHaveLength(ELEMENTS_MAX)
    expect(ada.invalid).toBe(5)
  })
})

it("forgets the oldest of many deleted elements, and no other", () => {
  const ada = new Person()
  const deleted = Array.from({ length: TOMBSTONES_MAX + 1 }, (_, i) =>
    rectangle(`d${i}`, { isDeleted: true, updated: i * TOMBSTONE_AGE_MS_MIN }),
  )
  ada.draw(rectangle("alive", { updated: 0 }), ...deleted)
  expect(ada.map.has("alive")).toBe(true)
  expect(ada.map.has("d0")).toBe(false)
  expect(ada.map.has(`d${TOMBSTONES_MAX}`)).toBe(true)
  expect(ada.map.size).toBe(501)
})
