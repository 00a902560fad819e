import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { DOOR_MESSAGES_KEPT_MAX, OutsideTalk, UNANSWERED_MAX } from "../../src/outside/outside-talk.ts"

const GUEST = "1".repeat(32) as MemberId
const HOST = "2".repeat(32) as MemberId
const body = (number: number, text = `line ${number}`) => ({ number, text, replyKey: new Uint8Array(32) })

test("a host keeps the newest unanswered messages up to the bound, and its answers", () => {
  const talk = new OutsideTalk()
  const shown = (): string[] => talk.messagesOf(GUEST).map(({ text }) => text)
  talk.guestWrote(GUEST, body(1, "It is me"))
  talk.answered(GUEST, "Which Ada?")
  for (let number = 2; number <= 10 * UNANSWERED_MAX; number++) {
    expect(talk.guestWrote(GUEST, body(number, `${number}`))).toBe(true)
    expect(shown().length).toBeLessThanOrEqual(2 + UNANSWERED_MAX)
  }
  const newest = Array.from({ length: UNANSWERED_MAX }, (_, i) => `${9 * UNANSWERED_MAX + 1 + i}`)
  expect(shown()).toEqual(["It is me", "Which Ada?", ...newest])
})

test("a second host sees the newest messages when the first answers alone and goes", () => {
  const [guest, first, second] = [new OutsideTalk(), new OutsideTalk(), new OutsideTalk()]
  let number = 0
  const write = (text: string): void => {
    expect(guest.mayWrite).toBe(true)
    guest.wrote(text)
    for (const host of [first, second]) host.guestWrote(GUEST, body(++number, text))
  }
  for (const text of ["a", "b", "c", "d"]) write(text)
  first.answered(GUEST, "Who are you?")
  guest.hostWrote(HOST, body(1))
  for (const text of ["Ada", "of the committee"]) write(text)
  guest.left(HOST, true)
  write("hello?")
  expect(second.messagesOf(GUEST).map(({ text }) => text)).toEqual(["d", "Ada", "of the committee", "hello?"])
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
