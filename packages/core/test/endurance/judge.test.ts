import { describe, expect, test } from "vitest"
import { complaintsAbout, growthOf, type Heard, type Memory, type Presence, slopeOf } from "./judge.ts"

const heard = (text: string, sequence: number, view = "v"): Heard => {
  return { id: `id of ${text}`, text, position: { view, sequence }, handedOver: false }
}
const handedOver = (text: string, sequence: number): Heard => ({ ...heard(text, sequence), handedOver: true })
const ada: Presence = {
  name: "Ada",
  stayed: true,
  ended: null,
  said: [{ text: "one", delivered: true }],
  heard: [heard("one", 1), heard("two", 2)],
  drawn: new Map([["a", 7]]),
  board: { a: 7 },
}
const bob: Presence = { ...ada, name: "Bob", said: [], drawn: new Map() }

describe("the judge of a lap", () => {
  test.each<[string, Presence[], string[]]>([
    ["nothing when all is well", [ada, bob], []],
    ["a text that a stayer lacks", [ada, { ...bob, heard: [heard("one", 1)] }], ["Bob lost: two"]],
    [
      "a text that its stayer never got delivered",
      [{ ...ada, said: [{ text: "never", delivered: false }] }],
      ["Ada lost: never"],
    ],
    [
      "a text that a leaver had delivered",
      [bob, { ...ada, stayed: false, ended: "left", said: [{ text: "last", delivered: true }] }],
      ["Bob lost: last"],
    ],
    [
      "nothing when a member crashes with its text",
      [bob, { ...ada, stayed: false, ended: "crashed", said: [{ text: "last", delivered: true }] }],
      [],
    ],
    [
      "nothing when a history brings texts of an earlier lap",
      [ada, { ...bob, heard: [...bob.heard, handedOver("earlier", 9)] }],
      [],
    ],
    [
      "a text of a crashed member that another stayer has from a history",
      [
        ada,
        { ...bob, heard: [...bob.heard, handedOver("last", 3)] },
        { ...ada, name: "Cy", stayed: false, ended: "crashed", said: [{ text: "last", delivered: true }], heard: [] },
      ],
      ["Ada lost: last"],
    ],
    ["a repeated text", [{ ...ada, heard: [...ada.heard, heard("two", 2)] }], ["Ada delivered twice: two"]],
    [
      "texts of a view in the wrong order",
      [{ ...ada, heard: ada.heard.toReversed() }],
      ["Ada delivered out of order: one"],
    ],
    [
      "nothing when members of different views deliver in different orders",
      [
        { ...ada, heard: [heard("one", 1, "v"), heard("two", 1, "w")] },
        { ...bob, heard: [heard("two", 1, "w"), heard("one", 1, "v")] },
      ],
      [],
    ],
    [
      "a text with two positions",
      [ada, { ...bob, heard: [heard("one", 1), heard("two", 3)] }],
      ["Bob has another position of: two"],
    ],
    ["another board", [ada, { ...bob, board: {} }], ["Bob has another board than Ada"]],
    ["a lost drawing", [{ ...ada, board: { a: 6 } }], ["Ada lost its drawing a"]],
  ])("reports %s", (_, lap, complaints) => {
    expect(complaintsAbout(lap)).toEqual(complaints)
  })

  /** After each lap; caches fill in the first ones, and the heap swings. */
  const run = (laps: number, leak: (lap: number) => Partial<Memory>): Memory[] =>
    Array.from({ length: laps }, (_, lap) => {
      const [filling, swing] = [Math.min(lap, 5) * 2 ** 20, (lap % 3) * 2 ** 20]
      return { heapUsed: 2 ** 27 + filling + swing, arrayBuffers: 2 ** 22, ...leak(lap) }
    })

  test.each<[string, Memory[], boolean]>([
    ["no leak when the heap only swings for 20 laps", run(20, () => ({})), false],
    ["no leak when the heap only swings for 120 laps", run(120, () => ({})), false],
    ["a leak when the heap grows for 20 laps", run(20, (lap) => ({ heapUsed: 2 ** 27 + lap * 2 ** 19 })), true],
    ["a leak when array buffers grow for 20 laps", run(20, (lap) => ({ arrayBuffers: lap * 2 ** 19 })), true],
    ["a leak when array buffers grow for 120 laps", run(120, (lap) => ({ arrayBuffers: lap * 2 ** 18 })), true],
  ])("finds %s", (_, memory, isLeak) => {
    expect(growthOf(memory)).toEqual({ perHourBytes: expect.any(Number), isLeak })
  })

  test("cannot tell the growth of a run when it is shorter than 20 laps", () => {
    expect(growthOf(run(19, (lap) => ({ heapUsed: lap * 2 ** 27 })))).toEqual({ perHourBytes: null, isLeak: false })
  })

  test("computes the slope of the heap when it grows and when it is steady", () => {
    expect(slopeOf([5, 7, 9, 11])).toBe(2)
    expect(slopeOf([5, 6, 5, 6, 5])).toBeCloseTo(0)
  })
})
