import { defaultTimes, LINK_BYTES_MAX, UNSTABLE_BYTES_MAX } from "@keymoot/transport"
import { beforeEach, expect, test } from "vitest"
import { OPENING_BYTES_HIGH } from "../../src/queues/decrypt-queue.ts"
import type { DriverEvent } from "../../src/driver/driver-config.ts"
import { BATCH_BYTES_MAX } from "../../src/multicast/batch.ts"
import type { LinkedMember } from "../../src/testing/index.ts"
import { VirtualRoom } from "./virtual-room.ts"

/** Virtual; `npm run test:deep` plays ten minutes. */
const MINUTES = Number(process.env["FLOW_MINUTES"] ?? 0.5)
const PERIOD_MS = 10_000
/** Waiting with the sender: always more than a batch takes. */
const UNDER_WAY = 1000
/** A megabit a second. */
const SLOW_BYTES_PER_SECOND = 125_000
/** A link, a window or a queue is full at its bound, and one batch more may have been on its way into it. */
const ONE_MORE = BATCH_BYTES_MAX + 64 * 1024
/** `PATIENCE` times `proposalMs` in repair.ts, and a view change. */
const SUSPECTED_MS = 5 * defaultTimes.proposalMs + 5000

type Seen = { readonly texts: string[]; readonly sizes: number[]; readonly faults: string[] }

let room: VirtualRoom
let seen: Map<string, Seen>

beforeEach(() => {
  room = new VirtualRoom({ ...defaultTimes, aloneAfterMs: 300 })
  seen = new Map()
})

function watch(name: string): (event: DriverEvent) => void {
  const own: Seen = { texts: [], sizes: [], faults: [] }
  seen.set(name, own)
  return (event) => {
    if (event.type === "batch")
      own.texts.push(...event.messages.map(({ payload }) => new TextDecoder().decode(payload.subarray(0, 12))))
    if (event.type === "secured") own.sizes.push(event.view.members.length)
    if (event.type === "security") own.faults.push(`${event.event.code}: ${event.event.detail}`)
  }
}

async function secured(...names: string[]): Promise<LinkedMember[]> {
  for (const name of names) await room.join(name, watch(name))
  const all = (): boolean => room.members.every((member) => member.secured?.members.length === names.length)
  expect(await room.runUntil(all, 20_000)).toBe(true)
  return room.members
}

/** As much as it is let. Returns how to stop, which tells how many were sent. */
function atFullSpeed(
  member: LinkedMember,
  name: string,
): { keepUp: () => void; sent: () => number; under: () => number } {
  let [sent, under] = [0, 0]
  const keepUp = (): void => {
    for (; under < UNDER_WAY; under++) {
      const payload = new Uint8Array(1024)
      new TextEncoder().encodeInto(`${name} ${sent++}`, payload)
      void member.send(payload).finally(() => under--)
    }
  }
  return { keepUp, sent: () => sent, under: () => under }
}

test(
  "memory stays bounded everywhere when a fast sender meets a peer on a slow link",
  { timeout: 180_000 + MINUTES * 120_000 },
  async () => {
    const names = ["ada", "bob", "carl", "dora"]
    const [ada, bob] = (await secured(...names)) as [LinkedMember, LinkedMember]
    room.slowDown("dora", SLOW_BYTES_PER_SECOND)
    const sender = atFullSpeed(ada, "ada")
    const most = { link: 0, outbox: 0, unstable: 0, decryption: 0 }
    const measure = (): void => {
      for (const { mesh, driver } of room.members) {
        for (const { id } of room.members) most.link = Math.max(most.link, mesh.bufferedBytes(id))
        for (const { queue, bytes } of driver.queues) most[queue] = Math.max(most[queue], bytes)
      }
    }
    for (let periods = Math.ceil((MINUTES * 60_000) / PERIOD_MS); periods > 0; periods--) {
      const before = names.map((name) => seen.get(name)!.texts.length)
      // Messages beside it must get through too, and so must a new key.
      const safe = bob.send(new TextEncoder().encode(`bob ${periods}`), "safe")
      if (periods % 3 === 1) ada.driver.refresh()
      await room.run(PERIOD_MS, () => {
        sender.keepUp()
        measure()
      })
      await Promise.race([safe, Promise.reject(new Error("a safe message took longer than a period"))])
      // Somewhat more than half of the line's throughput is the application's.
      const least = (0.5 * SLOW_BYTES_PER_SECOND * PERIOD_MS) / 1000 / 1024
      names.forEach((name, i) => expect(seen.get(name)!.texts.length - before[i]!, name).toBeGreaterThan(least))
    }
    expect(await room.runUntil(() => sender.under() === 0, 60_000)).toBe(true)
    await room.run(PERIOD_MS)
    const own = seen.get("ada")!.texts
    for (const name of names) expect(seen.get(name)!.texts).toEqual(own)
    expect(own.filter((text) => text.startsWith("ada")).length).toBe(sender.sent())
    for (const { faults, sizes } of seen.values()) {
      expect(faults).toEqual([])
      // The first ones are of the beginning.
      expect(sizes.slice(sizes.indexOf(4))).toEqual(sizes.slice(sizes.indexOf(4)).fill(4))
    }
    expect(most.link).toBeLessThan(LINK_BYTES_MAX + ONE_MORE)
    expect(most.unstable).toBeLessThan(UNSTABLE_BYTES_MAX + ONE_MORE)
    expect(most.decryption).toBeLessThan(OPENING_BYTES_HIGH + ONE_MORE)
    // The need of a line of 125 KB a second, not the megabytes of a fast one's window.
    expect(most.link).toBeLessThan(3 * BATCH_BYTES_MAX)
    console.log(`at most: ${JSON.stringify(most)} bytes; ${sender.sent()} messages`)
  },
)

test("excludes a peer that stops reading after the stated time, and others continue", async () => {
  const [ada] = (await secured("ada", "bob", "carl", "dora")) as [LinkedMember]
  room.slowDown("dora", 0)
  const sender = atFullSpeed(ada, "ada")
  sender.keepUp()
  const fromMs = room.nowMs
  expect(await room.runUntil(() => seen.get("ada")!.sizes.at(-1) === 3, SUSPECTED_MS)).toBe(true)
  expect(room.nowMs - fromMs).toBeGreaterThan(defaultTimes.suspectMs)
  expect(await room.runUntil(() => sender.under() === 0, 5000)).toBe(true)
  expect(seen.get("bob")!.texts.length).toBe(sender.sent())
})
