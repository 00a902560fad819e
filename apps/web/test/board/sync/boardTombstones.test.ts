import { describe, expect, it } from "vitest"
import { ELEMENTS_MAX } from "../../../src/board/sync/binding.ts"
import { SCENE_TOMBSTONES_MAX, TOMBSTONE_AGE_MS_MIN, TOMBSTONES_MAX } from "../../../src/board/sync/tombstones.ts"
import { Person, settle } from "./boardPerson.ts"
import { rectangle } from "../elements.ts"

function erased(count: number, version = 4) {
  return Array.from({ length: count }, (_, i) => rectangle(`d${i}`, { version, isDeleted: true, updated: i }))
}

function writeAll(person: Person, elements: readonly { readonly id: string }[]): void {
  person.doc.transact(() => {
    for (const element of elements) person.map.set(element.id, element)
  })
}

describe("a board with many erased elements", () => {
  it("forgets them on every screen when their tombstones were trimmed", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(...erased(TOMBSTONES_MAX))
    settle(ada, bob)
    // A large write delays the next one.
    ada.nowMs += 10_000
    ada.draw(rectangle("last", { isDeleted: true, updated: TOMBSTONES_MAX + TOMBSTONE_AGE_MS_MIN }))
    settle(ada, bob)
    for (const person of [ada, bob]) {
      expect(person.scene).toHaveLength(person.map.size)
      expect(person.see("d0")).toBeUndefined()
    }
    expect(ada.map.size).toBeLessThan(TOMBSTONES_MAX)
  })

  it("still takes what others draw, and keeps a bounded number of tombstones", () => {
    const [ada, bob] = [new Person(), new Person()]
    writeAll(bob, erased(ELEMENTS_MAX))
    settle(bob, ada)
    expect(ada.scene.length).toBeLessThanOrEqual(SCENE_TOMBSTONES_MAX)
    bob.draw(rectangle("r"))
    settle(bob, ada)
    expect(ada.see("r")).toBeDefined()
    expect(ada.invalid).toBe(0)
  })

  it("keeps its own tombstones when others' exceed the bound", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(rectangle("mine", { version: 4, isDeleted: true }))
    writeAll(bob, erased(SCENE_TOMBSTONES_MAX + 1))
    settle(ada, bob)
    expect(ada.scene.map(({ id }) => id)).toEqual(["mine"])
  })
})
