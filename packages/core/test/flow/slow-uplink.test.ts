import { defaultTimes } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { LinkedMember } from "../../src/testing/index.ts"
import { VirtualRoom } from "./virtual-room.ts"

const MESSAGE_BYTES = 100 * 1024

/** One of some members sends a message over its slow line. All get it in their view, and nobody is blamed. */
async function expectToCarry(members: number, bytesPerSecond: number, pick: (byId: LinkedMember[]) => LinkedMember) {
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
  void sender.send(new Uint8Array(MESSAGE_BYTES))
  const carriedMs = (1000 * MESSAGE_BYTES * (members - 1)) / bytesPerSecond
  // Somewhat longer than a member that acknowledges nothing is borne.
  await room.run(carriedMs + 35_000)
  expect(arrived).toEqual(room.members.map(() => MESSAGE_BYTES))
  expect(views.slice(viewsBefore)).toEqual([])
  expect(faults).toEqual([])
}

/** The order of ids decides which of two calm members asks. */
const senders: [string, (byId: LinkedMember[]) => LinkedMember][] = [
  ["the lowest", (byId) => byId[0]!],
  ["the highest", (byId) => byId.at(-1)!],
]

test.each(senders)("carries a long message to seven at 1 Mbit/s when %s id sends", async (_, pick) => {
  await expectToCarry(8, 125_000, pick)
})

test.each(senders)("carries a long message to five at 64 kbit/s when %s id sends", async (_, pick) => {
  await expectToCarry(6, 8192, pick)
})
