import { expect, test } from "vitest"
import { TURN_MESSAGES_MAX, TurnMessages } from "../../src/rpc/turn-messages.ts"

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

test("posts the messages of one turn together, and those of the next apart", async () => {
  const posted: (readonly number[])[] = []
  const turn = new TurnMessages<number>((messages) => void posted.push(messages))
  for (const message of [1, 2]) turn.add(message)
  expect([posted, turn.last]).toEqual([[], 2])
  await Promise.resolve()
  turn.add(3)
  await Promise.resolve()
  expect([posted, turn.last]).toEqual([[[1, 2], [3]], undefined])
})

test("posts at once and in order when the bound is reached within a turn", async () => {
  const posted: (readonly number[])[] = []
  const turn = new TurnMessages<number>((messages) => void posted.push(messages))
  const all = numbers(2 * TURN_MESSAGES_MAX + 1)
  for (const message of all) turn.add(message)
  expect(posted.map(({ length }) => length)).toEqual([TURN_MESSAGES_MAX, TURN_MESSAGES_MAX])
  await Promise.resolve()
  await Promise.resolve()
  expect(posted.flat()).toEqual(all)
})
