import { describe, expect, it } from "vitest"
import { Doc, encodeStateAsUpdate } from "yjs"
import { bindLabels } from "../../src/board/elements/labels.ts"
import { LABELLED_EXTENT_MAX } from "../../src/board/elements/limits.ts"
import { writeBoardFile, writeSharedBoard } from "../../src/board/elements/writeBoard.ts"
import { parseBoardFile, readBoard } from "../../src/board/file/boardFile.ts"
import type { BoardElement } from "../../src/board/elements/element.ts"
import { Person, settle } from "./sync/boardPerson.ts"
import { arrow, rectangle, text } from "./elements.ts"

const label = text("t", { containerId: "a" })
function labelled(extent: number, changes = {}) {
  const points = [
    [0, 0],
    [extent, 0],
  ]
  return arrow("a", { points, boundElements: [{ id: "t", type: "text" }], startBinding: null, ...changes })
}
const short = labelled(LABELLED_EXTENT_MAX)
const long = labelled(LABELLED_EXTENT_MAX + 1)

describe("the label of an arrow that is too long for one", () => {
  it.each([
    ["together with", [[long, label]]],
    ["after", [[long], [label]]],
    ["before", [[label], [long]]],
  ])("is a free text on others' screens when it comes %s the arrow", (_when, writes) => {
    const [ada, bob] = [new Person(), new Person()]
    for (const elements of writes) {
      ada.draw(...elements)
      settle(ada, bob)
    }
    expect(bob.see("t")).toEqual({ ...label, containerId: null })
    expect(bob.updates).toHaveLength(0)
  })

  it("is a free text on all screens when somebody else has made the arrow longer", () => {
    const [ada, bob, eve] = [new Person(), new Person(), new Person()]
    ada.draw(short, label)
    settle(ada, bob, eve)
    bob.draw({ ...long, version: 4 })
    settle(ada, bob, eve)
    for (const person of [ada, eve]) expect(person.see("t")).toEqual({ ...label, containerId: null })
  })

  it("stays a label for the author, who sees the arrow with it", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(long, label)
    settle(ada, bob)
    bob.draw(text("other"))
    settle(ada, bob)
    expect(ada.scene).toEqual(expect.arrayContaining([long, label]))
  })

  it("is a free text for author and newcomers when another shortens the arrow", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(long, label)
    settle(ada, bob)
    // As Bob's whiteboard has the arrow: without its label.
    bob.draw({ ...bob.see("a")!, ...shape(short), version: 4 })
    settle(ada, bob)
    const newcomer = new Person()
    newcomer.receive([encodeStateAsUpdate(ada.doc)])
    for (const person of [ada, bob, newcomer]) expect(person.see("t")).toEqual({ ...label, containerId: null })
  })

  it("is a label for all again when its author makes the arrow shorter", () => {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(long, label)
    settle(ada, bob)
    ada.draw({ ...short, version: 4 })
    settle(ada, bob)
    expect(bob.see("t")).toEqual(label)
  })

  it("is a free text in a file of the shared board, and in one that is read", () => {
    const map = new Doc().getMap<unknown>("elements")
    for (const element of [long, label]) map.set(element.id, element)
    expect(labelIn(writeSharedBoard(map)!)).toMatchObject({ text: "Hello", containerId: null })
    const board = parseBoardFile(writeBoardFile([long, label], {}))!
    const { elements } = readBoard(board, { top: null, room: 9, newId: () => crypto.randomUUID(), shared: new Map() })
    expect(labelIn(writeBoardFile(elements, {}))).toMatchObject({ text: "Hello", containerId: null })
  })
})

it("is a label for all when its arrow is short enough", () => {
  const [ada, bob] = [new Person(), new Person()]
  ada.draw(short, label)
  settle(ada, bob)
  expect(bob.see("t")).toEqual(label)
})

it("is a free text when its arrow names another label first", () => {
  const [ada, bob] = [new Person(), new Person()]
  const second = text("u", { containerId: "a" })
  const named = ["t", "u"].map((id) => ({ id, type: "text" }))
  ada.draw({ ...short, boundElements: named } as BoardElement, label, second)
  settle(ada, bob)
  expect([bob.see("t"), bob.see("u")]).toEqual([label, { ...second, containerId: null }])
})

describe("a label that somebody types while another moves its arrow", () => {
  function typedWhileMoved(): { ada: Person; bob: Person } {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(short)
    settle(ada, bob)
    ada.hand = new Set(["t"])
    ada.draw({ ...short, version: 4 }, label)
    // Bob's whiteboard did not have the label's name when he took the arrow.
    bob.draw({ ...short, boundElements: [], version: 12 })
    settle(ada, bob)
    return { ada, bob }
  }

  it("stays in its arrow for its author, and is a label for all at the end", () => {
    const { ada, bob } = typedWhileMoved()
    expect(ada.see("t")).toEqual(label)
    // Excalidraw's submission adds the name to the container that the text has by then.
    const written = { ...label, text: "Yes", version: 4 }
    ada.hand = new Set()
    ada.draw({ ...short, version: 13 }, written)
    settle(ada, bob)
    for (const person of [ada, bob]) expect(person.see("t")).toEqual(written)
  })

  it("is a free text at the next change when its author ends without a name", () => {
    const { ada, bob } = typedWhileMoved()
    ada.hand = new Set()
    bob.draw(text("other"))
    settle(ada, bob)
    for (const person of [ada, bob]) expect(person.see("t")).toEqual({ ...label, containerId: null })
  })
})

it("is a free text for all when another moves its box before the name arrives", () => {
  const [ada, bob] = [new Person(), new Person()]
  ada.draw(rectangle("a"))
  settle(ada, bob)
  ada.draw(rectangle("a", { boundElements: [{ id: "t", type: "text" }], version: 6 }), label)
  bob.draw(rectangle("a", { x: 50, version: 12 }))
  settle(ada, bob)
  for (const person of [ada, bob]) expect(person.see("t")).toEqual({ ...label, containerId: null })
})

it("is no label of itself when it names itself", () => {
  const own = text("t", { boundElements: [{ id: "t", type: "text" }] })
  expect(bindLabels([own])).toEqual([own])
})

it("has no larger canvas than other elements on screens of three pixels per unit", () => {
  // Excalidraw's margin for the second canvas, and its limit of pixels for the first one.
  expect((LABELLED_EXTENT_MAX * 3 + 200) ** 2).toBeLessThanOrEqual(16_777_216)
})

function shape(element: BoardElement): object {
  return "points" in element ? { points: element.points } : {}
}

function labelIn(file: string): BoardElement | undefined {
  return (JSON.parse(file) as { elements: BoardElement[] }).elements.find(({ type }) => type === "text")
}
