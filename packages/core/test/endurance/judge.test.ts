import { describe, expect, test } from "vitest"
import { Deliveries } from "./histories.ts"
import { complaintsAbout, growthOf, type Heard, type Memory, type Presence, slopeOf } from "./judge.ts"

const heard = (text: string, sequence: number, view = "v"): Heard => {
  return { id: `id of ${text}`, from: "Ada", text, position: { view, sequence }, transferred: false }
}
const transferred = (text: string, sequence: number): Heard => ({ ...heard(text, sequence), transferred: true })
const ada: Presence = {
  name: "Ada",
  stayed: true,
  ended: null,
  said: [{ text: "one", delivered: true }],
  heard: [heard("one", 1), heard("two", 2)],
  drawn: new Map([["a", 7]]),
  board: { a: 7 },
  log: [],
}
const bob: Presence = { ...ada, name: "Bob", said: [], drawn: new Map() }

/** The deliveries of this lap are all that there are. */
const judged = (lap: readonly Presence[], earlier: readonly Presence[] = []): string[] => {
  const deliveries = new Deliveries()
  deliveries.add([...earlier, ...lap])
  return complaintsAbout(lap, deliveries)
}

describe("the judge of a lap", () => {
  test.each<[string, Presence[], string[], Presence[]?]>([
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
      [ada, { ...bob, heard: [...bob.heard, transferred("earlier", 9)] }],
      [],
      [{ ...ada, heard: [heard("earlier", 9)] }],
    ],
    [
      "a text of a crashed member that another stayer has from a history",
      [
        ada,
        { ...bob, heard: [...bob.heard, transferred("last", 3)] },
        {
          ...ada,
          name: "Cy",
          stayed: false,
          ended: "crashed",
          said: [{ text: "last", delivered: true }],
          heard: [heard("last", 3)],
        },
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
  ])("reports %s", (_, lap, complaints, earlier) => {
    expect(judged(lap, earlier)).toEqual(complaints)
  })

  /** Eve enters late, and receives this from a history. */
  const eve = (...history: readonly Heard[]): Presence => {
    return { ...bob, name: "Eve", stayed: false, heard: history, log: null, board: null, ended: "left" }
  }

  test.each<[string, Heard[], string[]]>([
    ["nothing when it is what others delivered", [transferred("one", 1), transferred("two", 2)], []],
    ["a text that nobody delivered", [transferred("six", 6)], ["Eve has from a history what nobody delivered: six"]],
    ["an altered text", [{ ...transferred("one", 1), text: "won" }], ["Eve has from a history an altered text: won"]],
    [
      "a text under another name",
      [{ ...transferred("one", 1), from: "Bob" }],
      ["Eve has from a history an altered text: one"],
    ],
    ["a moved text", [transferred("one", 3)], ["Eve has from a history another position of: one"]],
  ])("reports of an entrant's history %s", (_, history, complaints) => {
    expect(judged([eve(...history)], [ada])).toEqual(complaints)
  })

  const logged = (...texts: readonly string[]) => texts.map((text) => ({ id: `id of ${text}`, text }))
  const [here, entrant] = [
    { ...ada, log: logged("one", "two", "six") },
    { ...bob, name: "Eve", stayed: false },
  ]

  test.each<[string, Presence, string[]]>([
    ["nothing when a stayer has the same", { ...bob, log: here.log }, []],
    ["nothing when an entrant waits for a history", { ...entrant, log: logged("six") }, []],
    ["a stayer that lacks some", { ...bob, log: logged("two", "six") }, ["Bob lacks in its log: one"]],
    ["an entrant that has more", { ...entrant, log: logged("one", "won", "six") }, ["Eve alone has in its log: won"]],
    ["another order", { ...entrant, log: logged("six", "one") }, ["Eve has another order in its log: six"]],
  ])("reports of the logs %s", (_, other, complaints) => {
    expect(judged([here, other])).toEqual(complaints)
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
