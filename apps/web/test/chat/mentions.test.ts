import type { ChannelMessage, ConferenceHandle, Member } from "@keymoot/core"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { cutMentions, isMentioned, MENTIONS_LOOKED_UP_MAX } from "../../src/chat/mentions/mentions.ts"
import { MENTIONS_MAX, openConversation } from "../../src/session/conversation.ts"

const people = ["Ada", "Ada Lovelace", "Bob", "Ünal", "İbrahim", ""].map((name) => ({ name }))
const [ada, lovelace, bob] = people as [{ name: string }, { name: string }, { name: string }]
const found = (text: string) => cutMentions(text, people).flatMap(({ person }) => (person ? [person.name] : []))

it.each([
  ["@Bob, look", ["Bob"]],
  ["hello @bob and @ADA!", ["Bob", "Ada"]],
  ["@Ada Lovelace wrote it", ["Ada Lovelace"]],
  ["@ünal?", ["Ünal"]],
  ["@İbrahim, look", ["İbrahim"]],
  ["@İBRAHIM and @Bob", ["İbrahim", "Bob"]],
  ["@İbrahimov", []],
  ["bob@bob.example", []],
  ["@Bobby and @ Bob and @", []],
])("in %j finds %j", (text, names) => {
  expect(found(text)).toEqual(names)
})

it("a longer name mentions its bearer only", () => {
  expect(isMentioned("@Ada Lovelace", ada, people)).toBe(false)
  expect(isMentioned("@Ada Lovelace", lovelace, people)).toBe(true)
  expect(isMentioned("@Bob", ada, people)).toBe(false)
  expect(isMentioned("@Bob", bob, people)).toBe(true)
})

it("a member of an equal name takes no mention away", () => {
  const [first, second] = [{ name: "ADA" }, { name: "Ada" }]
  for (const person of [first, second]) expect(isMentioned("@ada", person, [first, second])).toBe(true)
})

it("loses no character, and looks up no more marks than the bound", () => {
  const words = fc.array(fc.constantFrom("@", "Ada", "@Bob", " ", "x", "@@", "Lovelace"))
  fc.assert(
    fc.property(words, (parts) => {
      const pieces = cutMentions(parts.join(""), people)
      expect(pieces.map(({ text }) => text).join("")).toBe(parts.join(""))
    }),
  )
  expect(found("@Bob ".repeat(10 * MENTIONS_LOOKED_UP_MAX))).toHaveLength(MENTIONS_LOOKED_UP_MAX)
})

it("keeps the newest of a flood of mentions, until the chat is seen", () => {
  const conversation = openConversation(
    { on: () => undefined } as unknown as ConferenceHandle,
    new AbortController().signal,
  )
  const from = { id: "Mallory", self: false } as unknown as Member
  for (let sequence = 1; sequence <= 10 * MENTIONS_MAX; sequence++) {
    const message = { id: `m${sequence}`, from, text: "@Ada", position: { epoch: 1, view: "v", sequence } }
    conversation.add({ kind: "message", id: message.id, message: message as unknown as ChannelMessage }, true)
  }
  expect(conversation.mentions.get()).toHaveLength(MENTIONS_MAX)
  expect(conversation.mentions.get().at(-1)?.id).toBe(`m${10 * MENTIONS_MAX}`)
  conversation.setChatVisible(true)
  expect(conversation.mentions.get()).toEqual([])
})
