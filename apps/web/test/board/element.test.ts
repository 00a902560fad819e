import * as fc from "fast-check"
import { generateKeyBetween } from "fractional-indexing"
import { describe, expect, it } from "vitest"
import { readElement } from "../../src/board/elements/element.ts"
import { readFractionalIndex } from "../../src/board/elements/fractionalIndex.ts"
import {
  CORNERS_MAX,
  LABELLED_EXTENT_MAX,
  LIVE_VERSION_MAX,
  STROKE_POINTS_MAX,
  TEXT_LENGTH_MAX,
  VERSION_MAX,
} from "../../src/board/elements/limits.ts"
import { arrow, picture, rectangle, stroke, text } from "./elements.ts"

const elbow = {
  elbowed: true,
  points: [
    [0, 0],
    [50, 0],
    [50, 80],
  ],
  startBinding: { elementId: "r1", focus: 0, gap: 5, fixedPoint: [0.5, 1] },
  fixedSegments: [{ index: 2, start: [50, 0], end: [50, 80] }],
  startIsSpecial: null,
  endIsSpecial: null,
}

describe("an element that Excalidraw made", () => {
  it.each([
    ["a rectangle", rectangle("e")],
    ["a pen stroke", stroke("e", { pressures: [0.2, 0.9], simulatePressure: false, lastCommittedPoint: [3, 4.5] })],
    ["an arrow", arrow("e")],
    ["an elbow arrow", arrow("e", elbow)],
    ["a text in a box", text("e", { containerId: "r1" })],
    ["a frame", rectangle("e", { type: "frame", name: "Plan" })],
    ["a picture", picture("e")],
    [
      "a part of a picture, mirrored",
      picture("e", {
        scale: [-1, 1],
        crop: { x: 1, y: 2, width: 30, height: 40, naturalWidth: 64, naturalHeight: 64 },
      }),
    ],
  ])("passes unchanged: %s", (_name, element) => {
    expect(readElement("e", element)).toEqual(element)
  })

  it("loses its link and what an application attached to it", () => {
    const element = readElement(
      "e",
      rectangle("e", { link: "https://evil.example", customData: { html: "<b>" }, extra: 1 }),
    )
    expect(element).toEqual(rectangle("e"))
  })

  it("is copied, so that no later change of the original reaches the board", () => {
    const original = stroke("e")
    const copy = readElement("e", original)
    ;(original as unknown as { points: unknown[] }).points.push("garbage")
    expect(copy).toEqual(stroke("e"))
  })
})

describe("a hostile member's element is refused", () => {
  const points = (count: number) => Array.from({ length: count }, (_, i) => [i, i])
  it.each<[string, unknown]>([
    ["no object", 5],
    ["a list", [rectangle("e")]],
    ["another id than its key", rectangle("f")],
    ["an unknown type", rectangle("e", { type: "selection" })],
    ["a picture that is no file of the conference", picture("e", { fileId: "f" })],
    ["a picture that is an address", picture("e", { fileId: "https://evil.example/" })],
    ["a picture stretched without end", picture("e", { scale: [1e9, 1] })],
    ["a picture cut to nothing", picture("e", { crop: { x: 0, y: 0, width: 0, height: 0 } })],
    ["a picture cut with no numbers", picture("e", { crop: { x: "0", y: 0, width: 1, height: 1 } })],
    ["an embedded page", rectangle("e", { type: "embeddable", link: "https://evil.example" })],
    ["an iframe", rectangle("e", { type: "iframe" })],
    ["a stroke without points, which crashes Excalidraw", stroke("e", { points: undefined })],
    ["a stroke with no point", stroke("e", { points: [] })],
    ["a point of three numbers", stroke("e", { points: [[0, 0, 0]] })],
    ["a point far away", stroke("e", { points: [[0, 1e9]] })],
    ["a stroke with too many points", stroke("e", { points: points(STROKE_POINTS_MAX + 1) })],
    ["more pressures than points", stroke("e", { pressures: [0.1, 0.1, 0.1] })],
    ["a line of one point", arrow("e", { type: "line", points: [[0, 0]] })],
    ["too many corners", arrow("e", { points: points(CORNERS_MAX + 1) })],
    [
      "a line whose first point is not its place",
      arrow("e", {
        points: [
          [5, 5],
          [9, 9],
        ],
      }),
    ],
    [
      "a path as long as a marathon",
      stroke("e", { points: Array.from({ length: 100 }, (_, i) => [i % 2 === 0 ? 0 : 1e5, 0]) }),
    ],
    ["an arrowhead that nobody knows", arrow("e", { endArrowhead: "skull" })],
    [
      "a binding to the prototype of all objects",
      arrow("e", { startBinding: { elementId: "__proto__", focus: 0, gap: 1 } }),
    ],
    ["an elbow that is not straight, on which Excalidraw throws", arrow("e", { ...elbow, points: points(3) })],
    [
      "a fixed segment beyond the elbow",
      arrow("e", { ...elbow, fixedSegments: [{ index: 9, start: [0, 0], end: [0, 1] }] }),
    ],
    ["NaN for a place", rectangle("e", { x: Number.NaN })],
    ["an endless width", rectangle("e", { width: Number.POSITIVE_INFINITY })],
    ["text for a place", rectangle("e", { x: "10" })],
    ["a colour that is a URL", rectangle("e", { strokeColor: "url(https://evil.example/x)" })],
    ["a version that leaves no room for its deletion", rectangle("e", { version: LIVE_VERSION_MAX + 1 })],
    ["a deletion's version beyond the bound", rectangle("e", { version: VERSION_MAX + 1, isDeleted: true })],
    ["a fraction of a version", rectangle("e", { version: 1.5 })],
    ["a frame that contains itself", rectangle("e", { frameId: "e" })],
    ["a group named like a property of all objects", rectangle("e", { groupIds: ["constructor"] })],
    ["a text longer than a book chapter", text("e", { text: "x".repeat(TEXT_LENGTH_MAX + 1) })],
    ["a text that is its own container", text("e", { containerId: "e" })],
    ["a font that does not exist", text("e", { fontFamily: 99 })],
    ["lines without height", text("e", { lineHeight: 0 })],
    ["no version", rectangle("e", { version: undefined })],
  ])("%s", (_name, value) => {
    expect(readElement("e", value)).toBeNull()
  })

  it("when any one field is replaced, and never by an exception", () => {
    const samples = [rectangle("e"), stroke("e"), arrow("e", elbow), text("e")]
    const likely = fc.oneof(fc.integer({ min: -9, max: 99 }), fc.boolean(), fc.constantFrom(null, [], "r1", "dashed"))
    let taken = 0
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), fc.oneof(fc.anything(), likely), (sample, at, value) => {
        const keys = Object.keys(sample)
        const key = keys[at % keys.length] ?? "id"
        const read = readElement("e", { ...sample, [key]: value })
        if (read === null) return
        taken++
        expect(readElement("e", read)).toEqual(read)
      }),
      { numRuns: 500 },
    )
    expect(taken).toBeGreaterThan(50)
  })

  it("in the name of a key that every object has", () => {
    expect(readElement("__proto__", rectangle("__proto__"))).toBeNull()
    expect(readElement("toString", rectangle("toString"))).toBeNull()
  })
})

describe("hatching that would freeze the members that draw it", () => {
  const winding = Array.from({ length: 900 }, (_, i) => [i % 2 === 0 ? 0 : 1000, i])
  it.each([
    ["of an enormous box", rectangle("e", { width: 1e5, height: 1e5, strokeWidth: 0.5 })],
    ["of a line that winds to and fro", arrow("e", { type: "line", elbowed: undefined, points: winding })],
  ])("%s becomes plain", (_name, element) => {
    for (const fillStyle of ["hachure", "cross-hatch", "zigzag"]) {
      expect(readElement("e", { ...element, fillStyle, backgroundColor: "red" })).toMatchObject({ fillStyle: "solid" })
    }
  })

  it("stays on an ordinary box", () => {
    const box = rectangle("e", { width: 2000, height: 1500, fillStyle: "cross-hatch", backgroundColor: "red" })
    expect(readElement("e", box)).toEqual(box)
  })
})

describe("an arrow with a label", () => {
  const reaching = (extent: number, changes = {}) =>
    arrow("e", {
      points: [
        [0, 0],
        [-extent, 0],
      ],
      boundElements: [
        { id: "t", type: "text" },
        { id: "a", type: "arrow" },
      ],
      ...changes,
    })

  it("keeps it when its extent is ordinary", () => {
    expect(readElement("e", reaching(LABELLED_EXTENT_MAX))).toEqual(reaching(LABELLED_EXTENT_MAX))
  })

  it.each([
    ["wide", reaching(LABELLED_EXTENT_MAX + 1)],
    ["wide, and claims another width", reaching(LABELLED_EXTENT_MAX + 1, { width: 1, height: 1 })],
    [
      "high",
      reaching(0, {
        points: [
          [0, 0],
          [5, LABELLED_EXTENT_MAX],
          [0, -1],
        ],
      }),
    ],
  ])("loses it when it is so %s that its canvases would fill the memory", (_name, element) => {
    expect(readElement("e", element)).toEqual({ ...element, boundElements: [{ id: "a", type: "arrow" }] })
  })
})

describe("the place in the drawing order", () => {
  it("is taken as it is from every honest member", () => {
    let index = generateKeyBetween(null, null)
    const below = generateKeyBetween(null, index)
    for (let i = 0; i < 200; i++) {
      index = i % 3 === 0 ? generateKeyBetween(index, null) : generateKeyBetween(below, index)
      expect(readFractionalIndex(index)).toBe(index)
    }
  })

  it("is dropped without the element when it is invalid, as Excalidraw would throw", () => {
    for (const index of ["", "a", "a00", "!!", "b1", `A${"0".repeat(26)}`, "a1".repeat(500), null, 7, {}]) {
      expect(readElement("e", rectangle("e", { index }))).toEqual(rectangle("e", { index: null }))
    }
  })

  it("never makes the next one impossible to compute", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Za-z]{0,40}$/), (text) => {
        const index = readFractionalIndex(text)
        if (index !== null)
          expect(() => [generateKeyBetween(index, null), generateKeyBetween(null, index)]).not.toThrow()
      }),
      { numRuns: 2000 },
    )
  })
})
