import type { ChannelMessage, Member } from "@keymoot/core"
import i18next, { t } from "i18next"
import { expect, it } from "vitest"
import { chatAsText } from "../../src/chat/exportChat.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { addMark, type Marks } from "../../src/session/marks.ts"
import type { Entry } from "../../src/session/order.ts"

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
  chatAsText({ transcript, incomplete, marks }, t, i18next.language)

it("saves the chat as shown, with edits and arrivals, without deleted texts", () => {
  void startI18n(["en-GB"])
  const notice: Entry = {
    kind: "notice",
    id: "n",
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
  const text = asText(transcript, marks).replaceAll(/\d\d:\d\d:\d\d/gu, "hh:mm:ss")
  expect(text).toBe(
    [
      "— Ada joined.\n",
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
