import { defaultTimes } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { LinkedMember } from "../../src/testing/index.ts"
import { VirtualRoom } from "./virtual-room.ts"

const MEMBERS = 8
/** A megabit a second: it carries a message of 100 KiB to seven members in 5.8 s. */
const UPLINK_BYTES_PER_SECOND = 125_000
const MESSAGE_BYTES = 100 * 1024

/** The order of ids decides which of two calm members asks. */
const senders: [string, (byId: LinkedMember[]) => LinkedMember][] = [
  ["the lowest", (byId) => byId[0]!],
  ["the highest", (byId) => byId.at(-1)!],
]

test.each(senders)("carries a long message to all over a slow line when %s id sends", async (_, pick) => {
  const room = new VirtualRoom({ ...defaultTimes, aloneAfterMs: 300 })
  const views: number[] = []
  const faults: string[] = []
  const arrived: number[] = []
  for (let index = 0; index < MEMBERS; index++) {
    await room.join(`member ${index}`, (event) => {
      if (event.type === "secured") views.push(event.view.members.length)
      if (event.type === "security") faults.push(event.event.detail)
      if (event.type === "batch") arrived.push(...event.messages.map(({ payload }) => payload.length))
    })
  }
  const all = (): boolean => room.members.every(({ secured }) => secured?.members.length === MEMBERS)
  expect(await room.runUntil(all, 20_000)).toBe(true)
  await room.run(3_000)

  const viewsBefore = views.length
  const sender = pick(room.members.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  room.slowUplink(sender, UPLINK_BYTES_PER_SECOND)
  void sender.send(new Uint8Array(MESSAGE_BYTES))
  await room.run(20_000)
  expect(arrived).toEqual(room.members.map(() => MESSAGE_BYTES))
  expect(views.slice(viewsBefore)).toEqual([])
  expect(faults).toEqual([])
})
