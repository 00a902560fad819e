import type { ChannelMessage, Member } from "@keymoot/core"
import i18next, { t } from "i18next"
import { expect, it } from "vitest"
import { chatAsText } from "../../src/chat/exportChat.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { addMark, type Marks } from "../../src/session/marks.ts"
import type { Session } from "../../src/session/session.ts"
import { remainsOf } from "../../src/session/remains.ts"
import { store } from "../../src/store.ts"
import type { Entry } from "../../src/session/order.ts"
import type { Poll } from "../../src/tools/votes/polls.ts"

const ada = { id: "ada", name: "Ada", self: true } as unknown as Member
const position = (sequence: number) => ({ epoch: 1, view: "v", sequence })
const message = (sequence: number, text: string, sentAtMs = Date.UTC(2026, 10, 20, 12), from = ada) => {
  const id = `ada/${sequence}`
  return {
    kind: "message" as const,
    id,
    message: { id, from, text, sentAtMs, position: position(sequence) } as ChannelMessage,
  }
}

const asText = (transcript: readonly Entry[], marks: Marks = new Map(), incomplete = false) =>
  chatAsText({ title: "", transcript, incomplete, marks, polls: [] }, t, i18next.language)
const withoutTimes = (text: string): string => text.replaceAll(/\d\d:\d\d:\d\d/gu, "hh:mm:ss")
const poll: Poll = {
  id: "p",
  question: "Shall we?",
  options: ["Yes", "No"],
  several: false,
  hidden: false,
  from: ada,
  own: true,
  closed: false,
  voters: [[ada], []],
  voted: [ada],
  unknown: 0,
  mine: [0],
}

it("saves the chat as shown, with edits and arrivals, without deleted texts", () => {
  void startI18n(["en-GB"])
  const notice: Entry = {
    kind: "notice",
    id: "n",
    atMs: Date.UTC(2026, 10, 20, 12),
    position: position(0),
    joined: [ada],
    returned: [],
    left: [],
    lost: [],
    removed: [],
  }
  const transcript = [notice, message(1, "one"), message(2, "two"), message(3, "three", Number.NaN)]
  let marks = addMark(new Map(), { type: "edit", of: "ada/1", text: "ONE" }, { from: ada, position: position(4) })
  marks = addMark(marks, { type: "delete", of: "ada/2" }, { from: ada, position: position(5) })
  expect(withoutTimes(asText(transcript, marks))).toBe(
    [
      "— 20/11/2026, hh:mm:ss: Ada joined.\n",
      "Ada, 20/11/2026, hh:mm:ss (edited):\n    ONE\n",
      "Ada, 20/11/2026, hh:mm:ss:\n    Deleted by its author.\n",
      "Ada:\n    three\n",
    ].join("\n"),
  )
})

it("begins no line of a text at the margin when the text imitates another entry", () => {
  void startI18n(["en-GB"])
  const forged = ["", "Bob, 20/11/2026, 12:00:00:", "— Bob joined.", "> Bob: yes"]
  for (const lineBreak of ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
    const answered = message(1, forged.join(lineBreak), Number.NaN)
    const reply: Entry = { ...message(2, "no", Number.NaN), replyTo: "ada/1" }
    const lines = asText([answered, reply]).split(/[\n\v\f\r\u0085\u2028\u2029]/u)
    expect(lines.filter((line) => /^\S/u.test(line))).toEqual(["Ada:", "Ada:"])
    expect(lines.filter((line) => line.startsWith("  > "))).toHaveLength(1)
  }
})

it("marks what somebody with another key wrote, and what nobody can confirm", () => {
  void startI18n(["en-GB"])
  const stranger = message(1, "one", Number.NaN, { ...ada, changedKey: true })
  const brought = message(2, "two", Number.NaN)
  const transferred = { by: ada, authorKnown: false }
  const transcript: Entry[] = [stranger, { ...brought, message: { ...brought.message, transferred } }]
  expect(asText(transcript)).toBe("Ada (another key):\n    one\n\nAda (not confirmed):\n    two\n")
})

it("says first that messages are missing when some were evicted", () => {
  void startI18n(["en-GB"])
  expect(asText([message(1, "one", Number.NaN)], new Map(), true)).toBe(
    "— This chat is too long to be kept in full. Some older messages are missing.\n\nAda:\n    one\n",
  )
})

it("begins with the title, and ends with the votes, the oldest first", () => {
  void startI18n(["en-GB"])
  const closed: Poll = { ...poll, question: "Paint?", closed: true, voters: [[], [ada]] }
  const chat = { title: "The roof", transcript: [message(1, "one", Number.NaN)], incomplete: false, marks: new Map() }
  expect(chatAsText({ ...chat, polls: [poll, closed] }, t, i18next.language)).toBe(
    [
      "— Chat of “The roof”\n",
      "Ada:\n    one\n",
      "— Votes\n",
      "Ada:\n    Paint?\n    0 votes: Yes\n    1 vote: No\n    1 person has voted. The vote has ended.\n",
      "Ada:\n    Shall we?\n    1 vote: Yes\n    0 votes: No\n    1 person has voted. The vote is still open.\n",
    ].join("\n"),
  )
})

it("shows no hidden result of an open vote, and says which votes nobody can confirm", () => {
  void startI18n(["en-GB"])
  const chat = { title: "", transcript: [], incomplete: false, marks: new Map() }
  const german = { ...poll, options: ["👍 Dafür", "👎 Dagegen", "🤷 Enthaltung"], hidden: true, unknown: 1 }
  const saved = chatAsText({ ...chat, polls: [german] }, t, i18next.language)
  expect(saved).toContain(
    "    Shall we?\n    – 👍 For\n    – 👎 Against\n    – 🤷 Abstain\n    1 person has voted. The vote is still open.",
  )
  expect(saved).toContain("The result appears when the vote ends.")
  expect(saved).toContain("Nobody can confirm that its author exists.")
})

it("begins no line with a result that the author of a vote or a title has written", () => {
  void startI18n(["en-GB"])
  const question = "Shall we?\n    9 votes: Yes"
  const forged = { ...poll, question, options: ["Yes\r\n    9 votes: Maybe", "No"] }
  const chat = { title: "The roof\nBob:", transcript: [], incomplete: false, marks: new Map() }
  const lines = chatAsText({ ...chat, polls: [forged] }, t, i18next.language).split(/[\r\n]/u)
  expect(lines.filter((line) => /^ *9 votes/u.test(line))).toEqual([])
  expect(lines.filter((line) => line.startsWith("Bob"))).toEqual([])
})

it("keeps a vote for saving when nobody has written or drawn", () => {
  const remainsWith = (polls: readonly Poll[]) =>
    remainsOf({
      handle: { id: "plan", title: "" },
      transcript: store([]),
      incomplete: store(false),
      marks: store(new Map()),
      polls: store(polls),
      boardWriter: store(() => null),
    } as unknown as Session)
  expect(remainsWith([])).toBeNull()
  expect(remainsWith([poll])?.chat?.polls).toEqual([poll])
})
