/** A judge that takes everything would let every run pass: of each property a run that keeps it, and the same with one thing changed. */
import { expect, test } from "vitest"
import { judge, type TraceEvent } from "@keymoot/transport/testing"

/** Three meet, each from a view of its own; then v1 parts into v2 with a and b, and v3 with c, which crashes. One event a line. */
const MEETING = ["a", "b", "c"].flatMap((p) => [
  `view ${p} own-${p} 1 ${p} ${p}`,
  `flush_req ${p} own-${p}`,
  `flush ${p} own-${p}`,
  `trans ${p} own-${p}`,
  `view ${p} v1 2 abc ${p}`,
])
const TALK = [
  "send a f1 fifo v1",
  ...["a", "b", "c"].map((p) => `deliver ${p} f1 fifo v1`),
  "send b c1 causal v1",
  ...["a", "b", "c"].map((p) => `deliver ${p} c1 causal v1`),
  "send a g1 agreed v1",
  ...["a", "b", "c"].map((p) => `deliver ${p} g1 agreed v1 1`),
  "send b g2 safe v1",
  ...["a", "b", "c"].map((p) => `deliver ${p} g2 safe v1 2`),
  "send a u1 unreliable v1",
  "send a u2 unreliable v1",
  "deliver b u1 unreliable v1",
  "deliver b u2 unreliable v1",
]
/** After trans a safe message of b's, and one of a's that got no place. */
const PARTING = [
  ...["a", "b", "c"].map((p) => `flush_req ${p} v1`),
  "send a g3 agreed v1",
  "send b s3 safe v1",
  ...["a", "b", "c"].flatMap((p) => [`flush ${p} v1`, `trans ${p} v1`]),
  ...["a", "b"].flatMap((p) => [`deliver ${p} s3 safe v1 3`, `deliver ${p} g3 agreed v1 0`]),
  "view a v2 3 ab ab",
  "view b v2 3 ab ab",
  "view c v3 3 c c",
]
const END = [
  "crash c v3",
  "keyed a v2 4b",
  "keyed b v2 4b",
  "calm ab",
  "send a r4 reliable v2",
  "send b s4 safe v2",
  ...["a", "b"].flatMap((p) => [`deliver ${p} r4 reliable v2`, `deliver ${p} s4 safe v2 1`]),
  "end",
]
const RUN: readonly string[] = [...MEETING, ...TALK, ...PARTING, ...END]

function eventOf(line: string, t: number): TraceEvent {
  const [e, p = "", first = "", second = "", third = "", fourth] = line.split(" ")
  switch (e) {
    case "send":
      return { t, e, p, m: first, s: second, v: third }
    case "deliver":
      return { t, e, p, m: first, s: second, v: third, ...(fourth ? { g: Number(fourth) } : {}) }
    case "view":
      return { t, e, p, id: first, n: Number(second), D: [...third], T: [...fourth!] }
    case "keyed":
      return { t, e, p, id: first, key: second, module: "tgdh" }
    case "calm":
      return { t, e, D: [...p] }
    case "end":
      return { t, e }
    case "trans":
    case "flush_req":
    case "flush":
    case "crash":
    case "recover":
      return { t, e, p }
    default:
      throw new Error(`no event: ${line}`)
  }
}

function violated(run: readonly string[]): string[] {
  return [...new Set(judge(run.map(eventOf)).map(({ property }) => property))]
}

function instead(line: string, ...others: string[]): (run: readonly string[]) => string[] {
  return (run) => {
    const at = run.indexOf(line)
    if (at < 0 || at !== run.lastIndexOf(line)) throw new Error(`not exactly once in the run: ${line}`)
    return run.toSpliced(at, 1, ...others)
  }
}
const without = (line: string) => instead(line)
const before = (line: string, ...others: string[]) => instead(line, ...others, line)
const after = (line: string, ...others: string[]) => instead(line, line, ...others)

type Break = readonly [property: string, how: string, ...edits: readonly ((run: readonly string[]) => string[])[]]

const breaks: readonly Break[] = [
  ["1 initial view", "sends before a view", before("view a own-a 1 a a", "send a x fifo v1")],
  ["1 initial view", "flushes before a view", before("view a own-a 1 a a", "flush a")],
  ["1 initial view", "sends after its crash", after("crash c v3", "send c x fifo v3")],
  ["2 self inclusion", "installs a view of others", instead("view c v3 3 c c", "view c v3 3 d c")],
  ["3 same view", "one id with other members", instead("view b v2 3 ab ab", "view b v2 3 abc ab")],
  ["3 same view", "one id with another number", instead("view b v2 3 ab ab", "view b v2 4 ab ab")],
  ["4 ids increase", "the number before again", instead("view c v3 3 c c", "view c v3 2 c c")],
  ["4 ids increase", "a lower one after a crash", after("crash c v3", "recover c", "view c v4 3 c c")],
  ["5 no duplicates", "delivers again", after("deliver b f1 fifo v1", "deliver b f1 fifo v1")],
  ["5 no duplicates", "so, unreliable", after("deliver b u2 unreliable v1", "deliver b u2 unreliable v1")],
  ["5 no duplicates", "again after a crash", ...recovered("deliver c f1 fifo v1")],
  ["6 integrity", "delivers what nobody sends", after("deliver b u2 unreliable v1", "deliver b x unreliable v1")],
  ["6 integrity", "delivers it before it is sent", before("send a u1 unreliable v1", "deliver c u1 unreliable v1")],
  ["6 integrity", "as another service", instead("deliver b u2 unreliable v1", "deliver b u2 fifo v1")],
  ["6 integrity", "one id for two messages", after("send a u2 unreliable v1", "send b u2 unreliable v1")],
  [
    "6 integrity",
    "delivers what a stranger sends into the view",
    after("view c v1 2 abc c", "view d v1 2 abc d", "send d x unreliable v1", "deliver a x unreliable v1"),
  ],
  ["7 self delivery", "leaves without its own", without("deliver a g3 agreed v1 0")],
  ["9 sending view", "delivers in the next view", after("view b v2 3 ab ab", "deliver b u1 unreliable v2")],
  ["9 sending view", "delivers what belongs to the last", after("view a v2 3 ab ab", "deliver a u1 unreliable v1")],
  ["9 sending view", "delivers after its crash", after("crash c v3", "deliver c u1 unreliable v1")],
  ["10 flush", "installs without a flush", without("flush c v1")],
  ["10 flush", "sends after its flush", after("flush c v1", "send c x unreliable v1")],
  ["10 flush", "is asked twice", after("flush_req c v1", "flush_req c v1")],
  ["10 flush", "flushes twice", after("flush c v1", "flush c v1")],
  ["10 flush", "flushes unasked", without("flush_req c v1")],
  ["11 transitional set", "comes from nowhere with others", instead("view a own-a 1 a a", "view a own-a 1 ac ac")],
  ["11 transitional set", "without itself", instead("view c v3 3 c c", "view c v3 3 ac a")],
  [
    "11 transitional set",
    "with one who was not in the view before",
    instead("view b v1 2 abc b", "view b v1 2 abc ab"),
  ],
  ["11 transitional set", "with one who is not in the next", instead("view a v2 3 ab ab", "view a v2 3 ab abc")],
  [
    "11 transitional set",
    "with one who comes from elsewhere",
    instead("view b v2 3 ab ab", "crash b", "recover b", "view b v2 3 ab b"),
  ],
  ["11 transitional set", "without one who comes along", instead("view a v2 3 ab ab", "view a v2 3 ab a")],
  [
    "11 transitional set",
    "each without the other",
    instead("view a v2 3 ab ab", "view a v2 3 ab a"),
    instead("view b v2 3 ab ab", "view b v2 3 ab b"),
  ],
  [
    "11 transitional set",
    "with another than one who comes along, who differs about one who never comes",
    instead("view a v2 3 ab ab", "view a v2 3 abc abc"),
    instead("view b v2 3 ab ab", "view b v2 3 abc ab"),
    without("view c v3 3 c c"),
  ],
  ["12 virtual synchrony", "only one delivers it", without("deliver a s3 safe v1 3")],
  ["13 one trans", "none", without("trans c v1")],
  ["13 one trans", "two", after("trans c v1", "trans c v1")],
  ["13 before trans", "one delivers it before, one after", ...moved("trans b v1", "deliver b s3 safe v1 3")],
  ["13 after trans", "one delivers it before, one after", ...moved("trans b v1", "deliver b s3 safe v1 3")],
  ["13 after trans", "in another order", ...moved("deliver a s3 safe v1 3", "deliver a g3 agreed v1 0")],
  ["14 fifo", "the second before the first", ...moved("deliver c f1 fifo v1", "deliver c g1 agreed v1 1")],
  [
    "14 fifo",
    "past a gap, reliable",
    instead("send a r4 reliable v2", "send a r3 reliable v2", "send a r4 reliable v2"),
  ],
  ["15 causal", "an answer before what it answers", ...moved("deliver c f1 fifo v1", "deliver c c1 causal v1")],
  [
    "15 causal",
    "a safe message before what its sender had heard",
    ...moved("deliver c g1 agreed v1 1", "deliver c g2 safe v1 2"),
  ],
  [
    "16 agreed",
    "without a place before trans",
    ...["a", "b", "c"].map((p) => instead(`deliver ${p} g2 safe v1 2`, `deliver ${p} g2 safe v1 0`)),
  ],
  ["16 agreed", "against the places", ...moved("deliver c g1 agreed v1 1", "deliver c g2 safe v1 2")],
  [
    "16 agreed",
    "the same after trans, where one may be missing",
    before("flush c v1", "send c x agreed v1"),
    ...["a", "b"].map((p) =>
      instead(`deliver ${p} s3 safe v1 3`, `deliver ${p} s3 safe v1 4`, `deliver ${p} x agreed v1 3`),
    ),
  ],
  [
    "16 agreed",
    "one place for two",
    after("send b s3 safe v1", "send b x agreed v1"),
    instead("deliver a g3 agreed v1 0", "deliver a g3 agreed v1 4"),
    after("deliver b s3 safe v1 3", "deliver b x agreed v1 4"),
  ],
  ["16 agreed", "a hole before trans", without("deliver c g1 agreed v1 1")],
  [
    "16 agreed",
    "a hole after trans, of one who comes along",
    ...["a", "b"].map((p) => instead(`deliver ${p} g3 agreed v1 0`, `deliver ${p} g3 agreed v1 4`)),
    without("deliver b s3 safe v1 3"),
  ],
  ["17 safe", "before trans, and one leaves the view without it", without("deliver c g2 safe v1 2")],
  ["17 safe", "after trans, and one who comes along lacks it", without("deliver a s3 safe v1 3")],
  ["18 precision", "one stays in another view", instead("calm ab", "calm abc"), without("crash c v3")],
  ["18 precision", "all in one with somebody else", instead("calm ab", "calm a")],
  ["18 precision", "one has no view", after("keyed b v2 4b", "crash b")],
  ["19 delivered by all", "one lacks it", without("deliver b r4 reliable v2")],
  ["19 delivered by all", "its sender does", without("deliver a r4 reliable v2")],
  ["20 safe by all", "one lacks it", without("deliver a s4 safe v2 1")],
  ["newest wins", "an older one after a newer", ...moved("deliver b u1 unreliable v1", "deliver b u2 unreliable v1")],
  ["key of the view", "has one for a view that it has left", after("view c v3 3 c c", "keyed c v1 11")],
  ["one key", "two in a view", instead("keyed b v2 4b", "keyed b v2 4c")],
  ["fresh key", "that of an earlier view", before("flush_req a v1", "keyed a v1 4b")],
  ["keyed after calm", "one has none", without("keyed b v2 4b")],
]

/** The first of two lines right behind the second. */
function moved(line: string, behind: string) {
  return [without(line), after(behind, line)]
}

/** c comes back after its crash, into a view of the same id, and does this once more. */
function recovered(line: string) {
  return [after("crash c v3", "recover c", "view c v1 2 abc c", line)]
}

test("a run that keeps all properties is not blamed, nor is any prefix of it", () => {
  expect(violated(RUN)).toEqual([])
  // After calm there is something to come.
  for (let length = 0; length <= RUN.indexOf("calm ab"); length++) expect(violated(RUN.slice(0, length))).toEqual([])
})

test.each(breaks.map(([property, how, ...edits]) => ({ property, how, edits })))(
  "$property: $how",
  ({ property, edits }) => {
    expect(violated(edits.reduce<readonly string[]>((run, edit) => edit(run), RUN))).toContain(property)
  },
)

test("each of the twenty is broken above", () => {
  const numbers = new Set(breaks.map(([property]) => Number.parseInt(property, 10)))
  // 8, that all who deliver a message do so in one view, follows from 9: that view is the one it was sent in.
  const expected = Array.from({ length: 20 }, (_, i) => i + 1).filter((number) => number !== 8)
  expect([...numbers].filter((number) => !Number.isNaN(number)).sort((a, b) => a - b)).toEqual(expected)
})
