import { defaultTimes } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { LinkedMember } from "../../src/testing/index.ts"
import { VirtualRoom } from "./virtual-room.ts"

const MESSAGE_BYTES = 100 * 1024

type Pick = (byId: LinkedMember[]) => LinkedMember

/** One of some members sends messages over its slow line. All get them in their view, and nobody is blamed. */
async function expectToCarry(members: number, bytesPerSecond: number, pick: Pick, messages = [MESSAGE_BYTES]) {
  const room = new VirtualRoom({ ...defaultTimes, aloneAfterMs: 300 })
  const views: number[] = []
  const faults: string[] = []
  const arrived: number[] = []
  for (let index = 0; index < members; index++) {
    await room.join(`member ${index}`, (event) => {
      if (event.type === "secured") views.push(event.view.members.length)
      if (event.type === "security") faults.push(event.event.detail)
      if (event.type === "batch") arrived.push(...event.messages.map(({ payload }) => payload.length))
    })
  }
  const all = (): boolean => room.members.every(({ secured }) => secured?.members.length === members)
  expect(await room.runUntil(all, 20_000)).toBe(true)
  await room.run(3_000)

  const viewsBefore = views.length
  const sender = pick(room.members.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  room.slowUplink(sender, bytesPerSecond)
  for (const bytes of messages) void sender.send(new Uint8Array(bytes))
  const carriedMs = (1000 * messages.reduce((sum, bytes) => sum + bytes, 0) * (members - 1)) / bytesPerSecond
  // Somewhat longer than a member that acknowledges nothing is borne.
  await room.run(carriedMs + 35_000)
  expect(arrived).toEqual(messages.flatMap((bytes) => room.members.map(() => bytes)))
  expect(views.slice(viewsBefore)).toEqual([])
  expect(faults).toEqual([])
}

/** The order of ids decides which of two calm members asks. */
const senders: [string, Pick][] = [
  ["the lowest", (byId) => byId[0]!],
  ["the highest", (byId) => byId.at(-1)!],
]

test.each(senders)("carries a long message to seven at 1 Mbit/s when %s id sends", async (_, pick) => {
  await expectToCarry(8, 125_000, pick)
})

test.each(senders)("carries a long message to five at 64 kbit/s when %s id sends", async (_, pick) => {
  await expectToCarry(6, 8192, pick)
})

test.each(senders)("carries two messages in a row at 1 Mbit/s when %s id sends", async (_, pick) => {
  await expectToCarry(8, 125_000, pick, [127 * 1024, 127 * 1024])
})
