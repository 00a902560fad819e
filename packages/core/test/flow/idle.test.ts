import { defaultTimes } from "@keymoot/transport"
import { expect, test } from "vitest"
import { VirtualRoom } from "./virtual-room.ts"

/** Virtual; `npm run test:deep` plays an hour. */
const MINUTES = Number(process.env["IDLE_MINUTES"] ?? 0.5)
/** As long as a page may take all there is while it loads the board, and somewhat more. */
const BUSY_MS = 2000
const STEP_MS = 50
/** A calm member is asked every 350 ms, or asks after 500 ms. So many steps begin each pause at another moment. */
const PHASES = 600 / STEP_MS
/** From the suspicion to the view without the suspect. */
const VIEW_MS = 500

test(
  "suspects nobody while members are idle, or while one is busy for a while",
  { timeout: 180_000 + MINUTES * 30_000 },
  async () => {
    const room = new VirtualRoom({ ...defaultTimes, aloneAfterMs: 300 })
    const names = ["ada", "bob", "carl", "dora"]
    const events: string[] = []
    for (const name of names) {
      await room.join(name, (event) => events.push(event.type === "security" ? event.event.detail : event.type))
    }
    expect(await room.runUntil(() => room.members.every(({ secured }) => secured?.members.length === 4), 20_000)).toBe(
      true,
    )
    const before = events.length
    for (let i = 0; i < 2 * MINUTES; i++) {
      const busy = i % names.length
      room.pause(room.members[busy]!, names[busy]!, BUSY_MS)
      await room.run(30_000 + (i % PHASES) * STEP_MS, () => {}, STEP_MS)
    }
    expect(events.slice(before)).toEqual([])
    expect(room.members.map(({ secured }) => secured?.members.length)).toEqual([4, 4, 4, 4])
    // It would be noticed: who has no time for much longer is taken for gone.
    room.pause(room.members[0]!, names[0]!, 2 * defaultTimes.suspectMs)
    expect(
      await room.runUntil(() => room.members[1]!.secured?.members.length === 3, defaultTimes.suspectMs + VIEW_MS),
    ).toBe(true)
  },
)
