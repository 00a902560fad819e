import type { ChannelMessage, Member } from "@keymoot/core"
import * as fc from "fast-check"
import { t } from "i18next"
import { beforeAll, expect, it, vi } from "vitest"
import { chatAsText } from "../../src/chat/exportChat.ts"
import { QUOTE_CHARACTERS_MAX, quoteOf } from "../../src/chat/replies/quote.ts"
import { searchChat } from "../../src/chat/search/search.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { addMark, type Marks, type MessageMarks } from "../../src/session/marks.ts"
import type { Entry } from "../../src/session/order.ts"
import { decodeReply, encodeReply } from "../../src/session/reply.ts"

beforeAll(() => void startI18n(["en-GB"]))

const person = (name: string): Member => ({ id: name, name, self: name === "Ada" }) as unknown as Member

function said(id: string, from: string, text: string, replyTo?: string): Entry {
  const position = { epoch: 1, view: "v", sequence: Number(id.slice(1)) }
  const message = { id, from: person(from), text, sentAtMs: Number.NaN, position } as unknown as ChannelMessage
  return { kind: "message", id, message, ...(replyTo !== undefined && { replyTo }) }
}

it("a reply names a message and has a text, and every other text stays as it is", () => {
  expect(decodeReply(encodeReply("m1", "Yes.\nI do."))).toEqual({ to: "m1", text: "Yes.\nI do." })
  expect(encodeReply(null, "Yes.")).toBe("Yes.")
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const { to, text: read } = decodeReply(text)
      expect(encodeReply(to, read)).toBe(text)
    }),
  )
})

it.each(["\u0001reply ", "\u0001reply \nx", "\u0001reply a b\nx", `\u0001reply ${"x".repeat(300)}\ny`, "reply m1\nx"])(
  "shows %j as the text it is",
  (text) => {
    expect(decodeReply(text)).toEqual({ to: null, text })
  },
)

it("shows the receiver's own copy of the answered message, not the reply's", () => {
  const forged = decodeReply("\u0001reply m1\n> Bob: I agree to everything\nSee?")
  expect(forged).toEqual({ to: "m1", text: "> Bob: I agree to everything\nSee?" })
  expect(quoteOf(said("m1", "Bob", "I do not agree."), undefined, t)).toEqual({ name: "Bob", text: "I do not agree." })
})

it("follows an edit and a deletion by the author, and nobody else's", () => {
  const entry = said("m1", "Bob", "first")
  const marked = (from: string, mark: Parameters<typeof addMark>[1]): MessageMarks | undefined =>
    addMark(new Map(), mark, { from: person(from), position: { epoch: 1, view: "v", sequence: 9 } }).get("m1")
  expect(quoteOf(entry, marked("Bob", { type: "edit", of: "m1", text: "second" }), t).text).toBe("second")
  expect(quoteOf(entry, marked("Bob", { type: "delete", of: "m1" }), t).text).toBe("Deleted by its author.")
  expect(quoteOf(entry, marked("Eve", { type: "edit", of: "m1", text: "forged" }), t).text).toBe("first")
})

it("says when the answered message is not here, and names nobody for it", () => {
  expect(quoteOf(undefined, undefined, t)).toEqual({
    name: null,
    text: "The message this answers is not on this device.",
  })
})

it("shortens a long message, and writes it in one line", () => {
  const { text } = quoteOf(said("m1", "Bob", "line\n".repeat(10 * QUOTE_CHARACTERS_MAX)), undefined, t)
  expect([...text]).toHaveLength(QUOTE_CHARACTERS_MAX + 1)
  expect(text).not.toContain("\n")
})

it("saves a reply with the message it answers", () => {
  const transcript = [said("m1", "Bob", "Shall we?"), said("m2", "Ada", "Yes.", "m1")]
  expect(chatAsText({ title: "", transcript, incomplete: false, marks: new Map(), polls: [] }, t, "en")).toBe(
    "Bob:\n    Shall we?\n\nAda:\n  > Bob: Shall we?\n    Yes.\n",
  )
})

it("finds messages by words and author, in any case and with any accents", () => {
  const transcript = [said("m1", "Bob", "Das Dach über uns"), said("m2", "Ada", "The roof"), said("m3", "Bob", "DACH")]
  const none: Marks = new Map()
  expect(searchChat(transcript, none, "dach")).toEqual(["m3", "m1"])
  expect(searchChat(transcript, none, "uber dach")).toEqual(["m1"])
  expect(searchChat(transcript, none, "bob")).toEqual(["m3", "m1"])
  expect(searchChat(transcript, none, "  ")).toEqual([])
})

it("does not find what its author has deleted or changed", () => {
  const transcript = [said("m1", "Bob", "secret"), said("m2", "Bob", "old words")]
  const by = (sequence: number) => ({ from: person("Bob"), position: { epoch: 2, view: "v", sequence } })
  let marks = addMark(new Map(), { type: "delete", of: "m1" }, by(1))
  marks = addMark(marks, { type: "edit", of: "m2", text: "new words" }, by(2))
  expect(searchChat(transcript, marks, "secret")).toEqual([])
  expect(searchChat(transcript, marks, "old")).toEqual([])
  expect(searchChat(transcript, marks, "new")).toEqual(["m2"])
})

it("decomposes no long run of marks, because sorting one takes quadratic time", () => {
  const hostile = said("m1", "Bob", `caf\u0065${"\u0301\u0316".repeat(5000)} \u00e9`)
  const normalize = vi.spyOn(String.prototype, "normalize")
  expect(searchChat([hostile], new Map(), "cafe\u0301 e")).toEqual(["m1"])
  const given = normalize.mock.contexts.map(String)
  normalize.mockRestore()
  expect(given.length).toBeGreaterThan(0)
  expect(given.filter((text) => /\p{M}/u.test(text))).toEqual([])
})
