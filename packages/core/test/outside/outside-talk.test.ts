import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { DOOR_MESSAGES_KEPT_MAX, OutsideTalk, UNANSWERED_MAX } from "../../src/outside/outside-talk.ts"

const GUEST = "1".repeat(32) as MemberId
const HOST = "2".repeat(32) as MemberId
const body = (number: number, text = `line ${number}`) => ({ number, text, replyKey: new Uint8Array(32) })

test("a host takes at most the bound of unanswered messages, and more after an answer", () => {
  const talk = new OutsideTalk()
  for (let number = 1; number <= 10 * UNANSWERED_MAX; number++) {
    expect(talk.guestWrote(GUEST, body(number))).toBe(number <= UNANSWERED_MAX)
  }
  expect(talk.messagesOf(GUEST)).toHaveLength(UNANSWERED_MAX)
  talk.answered(GUEST, "Which Ada?")
  expect(talk.guestWrote(GUEST, body(100))).toBe(true)
  expect(talk.messagesOf(GUEST).slice(-2)).toEqual([
    { text: "Which Ada?", byHost: true },
    { text: "line 100", byHost: false },
  ])
})

test("a repeated or earlier number is dropped at both ends", () => {
  const talk = new OutsideTalk()
  expect([5, 5, 4].map((number) => talk.guestWrote(GUEST, body(number)))).toEqual([true, false, false])
  expect([5, 5, 4].map((number) => talk.hostWrote(HOST, body(number)))).toEqual([true, false, false])
  expect(talk.messages).toEqual([{ text: "line 5", byHost: true }])
})

test("a host that was reloaded counts from 1 again, and is still heard", () => {
  const talk = new OutsideTalk()
  for (let written = 0; written < UNANSWERED_MAX; written++) talk.wrote("hello")
  expect(talk.hostWrote(HOST, body(5))).toBe(true)
  talk.left(HOST, false)
  expect(talk.hostWrote(HOST, body(1))).toBe(true)
  expect([talk.messages.at(-1), talk.mayWrite]).toEqual([{ text: "line 1", byHost: true }, true])
})

test("a talk keeps the last messages only, and ends with the link", () => {
  const talk = new OutsideTalk()
  for (let number = 1; number <= 10 * DOOR_MESSAGES_KEPT_MAX; number++) {
    talk.guestWrote(GUEST, body(number))
    talk.answered(GUEST, "yes")
    talk.hostWrote(HOST, body(number))
  }
  expect([talk.messagesOf(GUEST).length, talk.messages.length]).toEqual([
    DOOR_MESSAGES_KEPT_MAX,
    DOOR_MESSAGES_KEPT_MAX,
  ])
  talk.left(GUEST, false)
  expect([talk.messagesOf(GUEST), talk.replyKeyOf(GUEST)]).toEqual([[], null])
})
