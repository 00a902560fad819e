import { describe, expect, it } from "vitest"
import { encodeStateAsUpdate, encodeStateVector } from "yjs"
import { TOMBSTONE_AGE_MS_MIN, TOMBSTONES_MAX } from "../../../src/board/sync/tombstones.ts"
import { Person, settle } from "./boardPerson.ts"
import { rectangle, stroke } from "../elements.ts"

const spoilings: [string, (person: Person, id: string) => void][] = [
  ["deletes it from the map", (person, id) => person.map.delete(id)],
  ["overwrites it with garbage", (person, id) => person.map.set(id, "garbage")],
]

describe.each(spoilings)("an edit in progress of an element whose shared copy waits, when somebody %s", (_, spoil) => {
  function withWaitingChange() {
    const [ada, bob, eve] = [new Person(), new Person(), new Person()]
    ada.draw(stroke("s"))
    settle(ada, bob, eve)
    ada.hand.add("s")
    bob.draw(stroke("s", { version: 4, x: 4 }))
    settle(ada, bob, eve)
    spoil(eve, "s")
    settle(ada, eve)
    return { ada, eve }
  }

  it("is shared when it is finished", () => {
    const { ada, eve } = withWaitingChange()
    ada.draw(stroke("s", { version: 5, x: 42 }))
    ada.hand.clear()
    ada.draw(stroke("s", { version: 6, x: 43 }))
    settle(ada, eve)
    expect(eve.see("s")).toMatchObject({ x: 43 })
  })

  it("is shared when the board is closed", () => {
    const { ada, eve } = withWaitingChange()
    ada.scene = [stroke("s", { version: 5, x: 42 })]
    ada.hand.clear()
    ada.binding.close()
    settle(ada, eve)
    expect(eve.see("s")).toMatchObject({ x: 42 })
  })
})

describe.each(spoilings)("an element on the screen, when somebody %s", (_, spoil) => {
  it("is shared again by its author at once", () => {
    const [ada, eve] = [new Person(), new Person()]
    ada.draw(rectangle("r"))
    settle(ada, eve)
    spoil(eve, "r")
    settle(ada, eve)
    expect(eve.map.get("r")).toEqual(rectangle("r"))
  })

  it("is shared again by others after its author has left", () => {
    const [ada, bob, eve] = [new Person(), new Person(), new Person()]
    ada.draw(rectangle("r"))
    settle(ada, bob, eve)
    spoil(eve, "r")
    settle(bob, eve)
    expect(bob.updates).toHaveLength(0)
    bob.timers()
    settle(bob, eve)
    expect(eve.map.get("r")).toEqual(rectangle("r"))
  })

  it("is not shared again by a viewer", () => {
    const [ada, viewer, eve] = [new Person(), new Person(), new Person()]
    viewer.isViewer = true
    ada.draw(rectangle("r"))
    settle(ada, viewer, eve)
    spoil(eve, "r")
    settle(viewer, eve)
    viewer.timers()
    expect(viewer.updates).toHaveLength(0)
    expect(viewer.see("r")).toBeDefined()
  })
})

it("loses an element, and names nobody, when one update spoils and removes it", () => {
  // Not prevented: a member that was away gets the same from the removal of a tombstone that it has missed.
  const [ada, bob, eve] = [new Person(), new Person(), new Person()]
  ada.draw(rectangle("r"))
  settle(ada, bob, eve)
  eve.doc.transact(() => {
    for (const [, spoil] of spoilings.toReversed()) spoil(eve, "r")
  })
  settle(ada, bob, eve)
  for (const person of [ada, bob]) person.timers()
  settle(ada, bob, eve)
  expect([ada, bob].map((person) => [person.see("r"), person.map.has("r"), person.invalid])).toEqual([
    [undefined, false, 0],
    [undefined, false, 0],
  ])
})

describe("many elements that a member erases", () => {
  const drawn = Array.from({ length: TOMBSTONES_MAX + 1 }, (_, i) => rectangle(`d${i}`))
  const lastDrawn = `d${TOMBSTONES_MAX}`
  const erased = drawn.map((element) => ({ ...element, version: 4, isDeleted: true }))

  function live(person: Person) {
    return person.scene.filter(({ isDeleted }) => !isDeleted)
  }

  it("stay erased when one stroke of the eraser took more than are kept", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(...drawn)
    settle(ada, bob)
    ada.nowMs += 10_000
    ada.draw(...erased)
    settle(ada, bob)
    bob.timers()
    settle(ada, bob)
    expect(live(ada)).toEqual([])
    expect(live(bob)).toEqual([])
  })

  it("stay erased when a hidden tab gets their deletion and the trimming at once", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(...drawn)
    settle(ada, bob)
    ada.nowMs += 10_000
    ada.draw(...erased)
    ada.nowMs += 10_000
    const updated = erased[0]!.updated + TOMBSTONE_AGE_MS_MIN
    ada.draw(rectangle("last", { version: 4, isDeleted: true, updated }))
    expect(ada.map.has(lastDrawn)).toBe(false)
    settle(ada, bob)
    bob.timers()
    settle(ada, bob)
    expect(live(bob)).toEqual([])
    expect(ada.map.has(lastDrawn)).toBe(false)
  })

  /** Bob has seen them and is away when Ada erases them, and when she trims their tombstones. */
  function withAbsent() {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(...drawn)
    settle(ada, bob)
    ada.nowMs += 10_000
    ada.draw(...erased)
    ada.nowMs += 10_000
    ada.draw(rectangle("last", { version: 4, isDeleted: true, updated: erased[0]!.updated + TOMBSTONE_AGE_MS_MIN }))
    expect(ada.map.has(lastDrawn)).toBe(false)
    return { ada, bob }
  }

  function meet(ada: Person, bob: Person) {
    ada.updates = []
    bob.receive([encodeStateAsUpdate(ada.doc, encodeStateVector(bob.doc))])
    bob.timers()
    settle(ada, bob)
  }

  it("stay erased when a member returns that was away meanwhile", () => {
    const { ada, bob } = withAbsent()
    meet(ada, bob)
    for (const person of [ada, bob]) expect(live(person)).toEqual([])
    expect(bob.map.has(lastDrawn)).toBe(false)
  })

  it("stay erased when a viewer that was away becomes an editor", () => {
    const { ada, bob } = withAbsent()
    bob.isViewer = true
    meet(ada, bob)
    bob.isViewer = false
    bob.draw(rectangle("new"))
    settle(ada, bob)
    for (const person of [ada, bob]) expect(live(person)).toEqual([rectangle("new")])
  })

  it("keep one that a returning member is editing", () => {
    const { ada, bob } = withAbsent()
    bob.hand.add(lastDrawn)
    meet(ada, bob)
    bob.hand.clear()
    bob.draw({ ...drawn.at(-1)!, version: 5, x: 42 })
    settle(ada, bob)
    for (const person of [ada, bob]) expect(live(person)).toMatchObject([{ id: lastDrawn, x: 42 }])
  })

  it.each([1, -1])("agree for all when one was changed by a member that was away (%i)", (order) => {
    const { ada, bob } = withAbsent()
    bob.doc.clientID = ada.doc.clientID + order
    bob.draw({ ...drawn.at(-1)!, version: 5, x: 42 })
    meet(ada, bob)
    for (const person of [ada, bob]) expect(live(person).map(({ id }) => id)).toEqual(order > 0 ? [lastDrawn] : [])
  })
})
