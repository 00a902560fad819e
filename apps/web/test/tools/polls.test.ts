import type { ChannelMessage, Member, Role } from "@keymoot/core"
import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import {
  addPollMessage,
  decodePollMessage,
  OPTION_LENGTH_MAX,
  OPTIONS_MAX,
  POLLS_MAX,
  QUESTION_LENGTH_MAX,
  shownPolls,
  VOTERS_MAX,
} from "../../src/tools/votes/polls.ts"
import type { PollMessage, Polls } from "../../src/tools/votes/polls.ts"

type Sent = readonly [name: string, message: PollMessage, arrived?: Partial<ChannelMessage>]

const DRAFT = { question: "Lunch?", options: ["Soup", "Salad", "Bread"], several: false, hidden: false }
const ROLES: Readonly<Record<string, Role>> = { Hanna: "host" }
let sequence = 0

const person = (name: string): Member =>
  ({
    id: name,
    name,
    publicKey: `key of ${name.replace(/ alias.*/, "")}`,
    role: ROLES[name] ?? "editor",
  }) as unknown as Member
const poll = (draft: Partial<typeof DRAFT> = {}): PollMessage => ({ type: "poll", ...DRAFT, ...draft })
const vote = (chosen: readonly number[], turn = 0, of = "p"): PollMessage => ({ type: "vote", of, chosen, turn })
const CLOSE: PollMessage = { type: "close", of: "p" }

function gathered(sent: readonly Sent[], before: Polls = new Map()): Polls {
  return sent.reduce((polls, [name, message, arrived]) => {
    const position = { epoch: 1, view: "v", sequence: sequence++ }
    return addPollMessage(polls, message, { id: "p", from: person(name), position, transferred: null, ...arrived })
  }, before)
}
const shown = (sent: readonly Sent[]) => shownPolls(gathered(sent), "key of Ada")
const countsOf = (sent: readonly Sent[]) => shown(sent)[0]?.voters.map(({ length }) => length)
const at = (sequence: number) => ({ position: { epoch: 1, view: "v", sequence } })

it("counts the last vote of each person once", () => {
  expect(
    countsOf([
      ["Ada", poll()],
      ["Ada", vote([0])],
      ["Bob", vote([0])],
      ["Bob", vote([2], 1)],
    ]),
  ).toEqual([1, 0, 1])
  expect(
    countsOf([
      ["Ada", poll()],
      ["Bob", vote([0])],
      ["Bob", vote([], 1)],
    ]),
  ).toEqual([0, 0, 0])
})

it("counts one vote of a person that votes again under another name", () => {
  expect(
    countsOf([
      ["Ada", poll()],
      ["Eve", vote([0])],
      ["Eve alias Ann", vote([1], 1)],
    ]),
  ).toEqual([0, 1, 0])
  expect(
    shown([
      ["Ada", poll()],
      ["Ada alias Ann", vote([1])],
      ["Ada alias Ann", CLOSE],
    ])[0],
  ).toMatchObject({
    own: true,
    mine: [1],
    closed: true,
  })
})

it("attributes a vote to its signer, not to a name that a member writes into it", () => {
  const forged = decodePollMessage(JSON.stringify({ ...vote([1]), from: "Bob", member: "Bob", voter: "Bob" }))!
  const [only] = shown([
    ["Ada", poll()],
    ["Bob", vote([0])],
    ["Eve", forged],
  ])
  expect(only!.voters.map((all) => all.map(({ name }) => name))).toEqual([["Bob"], ["Eve"], []])
})

it("keeps a changed vote when a transferring member moves the old one behind it", () => {
  expect(
    countsOf([
      ["Ada", poll()],
      ["Bob", vote([1], 1), at(5)],
      ["Bob", vote([0], 0), at(900)],
    ]),
  ).toEqual([0, 1, 0])
})

it.each(["Eve", "Bob"])("ignores that %s, neither its author nor a host, closes a poll", (name) => {
  expect(
    shown([
      ["Ada", poll()],
      [name, CLOSE],
    ])[0]!.closed,
  ).toBe(false)
})

it.each(["Ada", "Hanna"])("lets %s close a poll after more words of others than are kept", (name) => {
  const others = Array.from({ length: 100 }, (_, number): Sent => [`Eve ${number}`, CLOSE])
  expect(shown([["Ada", poll()], ...others, [name, CLOSE]])[0]!.closed).toBe(true)
})

it.each(["Ada", "Hanna"])("counts no vote after %s has closed the poll", (name) => {
  const sent: Sent[] = [
    ["Ada", poll()],
    ["Bob", vote([0])],
    [name, CLOSE],
    ["Eve", vote([1])],
  ]
  expect(countsOf(sent)).toEqual([1, 0, 0])
  expect(shown(sent)[0]!.closed).toBe(true)
})

describe("a message that a member transferred with an earlier position, before its delivery", () => {
  const transferred = { by: person("Mallory"), authorKnown: true }
  const early = { ...at(0), transferred }

  it("ends a poll where its delivery says", () => {
    const sent: Sent[] = [
      ["Ada", poll(), at(1)],
      ["Bob", vote([0]), at(2)],
      ["Hanna", CLOSE, { ...early, id: "end" }],
      ["Hanna", CLOSE, { ...at(3), id: "end" }],
      ["Hanna", CLOSE, { ...early, id: "end" }],
      ["Eve", vote([1]), at(4)],
    ]
    expect(countsOf(sent)).toEqual([1, 0, 0])
  })

  it("ends a poll at the first of two ends", () => {
    const sent: Sent[] = [
      ["Ada", poll(), at(1)],
      ["Hanna", CLOSE, { ...at(2), id: "end", transferred }],
      ["Bob", vote([0]), at(3)],
      ["Hanna", CLOSE, { ...at(4), id: "again" }],
    ]
    expect(countsOf(sent)).toEqual([0, 0, 0])
  })

  it("opens a poll where its delivery says", () => {
    const sent: Sent[] = [
      ["Ada", poll({ question: "First?" }), { ...at(1), id: "first" }],
      ["Ada", poll({ question: "Second?" }), { ...early, id: "second" }],
      ["Ada", poll({ question: "Second?" }), { ...at(2), id: "second" }],
    ]
    expect(shown(sent).map(({ question }) => question)).toEqual(["Second?", "First?"])
  })
})

it("counts no second option where one is allowed, and no option that does not exist", () => {
  expect(
    countsOf([
      ["Ada", poll()],
      ["Eve", vote([0, 1])],
      ["Bob", vote([3])],
    ]),
  ).toEqual([0, 0, 0])
  expect(
    countsOf([
      ["Ada", poll({ several: true })],
      ["Eve", vote([0, 1])],
    ]),
  ).toEqual([1, 1, 0])
})

it("says how many votes come from authors that nobody here knows", () => {
  const transferred = { by: person("Eve"), authorKnown: false }
  const [only] = shown([
    ["Ada", poll()],
    ["Bob", vote([0])],
    ["Puppet", vote([1]), { transferred }],
  ])
  expect([only!.voted.length, only!.unknown]).toEqual([2, 1])
})

it("is the same on every screen, in any order of arrival", () => {
  const fixed: Sent[] = [
    ["Ada", poll(), at(1)],
    ["Bob", vote([0]), at(2)],
    ["Bob", vote([1], 1), at(3)],
    ["Eve", vote([2]), at(4)],
    ["Hanna", CLOSE, at(5)],
    ["Carl", vote([2]), at(6)],
  ]
  const named = (sent: readonly Sent[]) => shown(sent)[0]!.voters.map((all) => all.map(({ name }) => name).toSorted())
  fc.assert(
    fc.property(fc.shuffledSubarray(fixed, { minLength: fixed.length }), (sent) => {
      expect(named(sent)).toEqual([[], ["Bob"], ["Eve"]])
    }),
  )
})

it("a flood of polls replaces the polls of its own author", () => {
  const flood = Array.from({ length: 10 * POLLS_MAX }, (_, i): Sent => ["Eve", poll(), { id: `flood ${i}` }])
  const polls = gathered(flood, gathered([["Ada", poll()]]))
  expect(polls.size).toBe(POLLS_MAX)
  expect(shownPolls(polls, "").filter(({ from }) => from.name === "Ada")).toHaveLength(1)
})

it("votes for polls that do not exist replace each other", () => {
  const flood = Array.from({ length: 10 * POLLS_MAX }, (_, i): Sent => ["Eve", vote([0], 0, `none ${i}`)])
  const polls = gathered(flood, gathered([["Ada", poll()]]))
  expect(polls.size).toBe(POLLS_MAX)
  expect(shownPolls(polls, "")).toHaveLength(1)
})

it("keeps no more voters of a poll than the bound", () => {
  const flood = Array.from({ length: 10 * VOTERS_MAX }, (_, i): Sent => [`Puppet ${i}`, vote([0])])
  expect(countsOf([["Ada", poll()], ...flood])).toEqual([VOTERS_MAX, 0, 0])
})

it.each([
  { ...poll(), question: " " },
  { ...poll(), question: "x".repeat(QUESTION_LENGTH_MAX + 1) },
  { ...poll(), options: ["one"] },
  { ...poll(), options: Array.from({ length: OPTIONS_MAX + 1 }, (_, i) => `${i}`) },
  { ...poll(), options: ["same", "same"] },
  { ...poll(), options: ["one", "x".repeat(OPTION_LENGTH_MAX + 1)] },
  { ...poll(), several: "yes" },
  { ...vote([0]), chosen: [1, 0] },
  { ...vote([0]), chosen: [0, 0] },
  { ...vote([0]), chosen: [-1] },
  { ...vote([0]), turn: 0.5 },
  { ...vote([0]), of: "x".repeat(201) },
  { type: "close" },
  null,
])("refuses %j", (message) => {
  expect(decodePollMessage(JSON.stringify(message))).toBeNull()
})
