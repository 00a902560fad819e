/** Six people of whom somebody enters, leaves or crashes all the time. `npm run night` plays hours of it. */
import { expect, test } from "vitest"
import { Room } from "../conference-run/harness.ts"
import { realClock, virtualClock } from "./clock.ts"
import { growthOf } from "./judge.ts"
import { attend, type Report } from "./run.ts"

/** Minutes in virtual time, and in real time. */
const VIRTUAL_MINUTES = Number(process.env["ENDURANCE_MINUTES"] ?? 1)
const REAL_MINUTES = Number(process.env["ENDURANCE_REAL_MINUTES"] ?? 0)
const seed = process.env["PROPERTY_SEED"] === "random" ? Date.now() % 2 ** 31 : 26

function judge({ memory, ...counts }: Report): void {
  expect(counts.entries + counts.leaves).toBe(3 * counts.laps)
  expect(counts.crashes).toBe(counts.laps)
  expect(counts.present).toBeGreaterThan(5)
  expect(counts.transferred).toBeGreaterThan(0)
  const { perHourBytes, isLeak } = growthOf(memory)
  const growth = perHourBytes === null ? "too short to tell" : `${(perHourBytes / 1024).toFixed(0)} KiB an hour`
  console.log(JSON.stringify(counts), `growth of memory: ${growth}`)
  expect(isLeak).toBe(false)
}

test(
  "loses nothing for those who stay when people come, go and crash",
  { timeout: 120_000 + VIRTUAL_MINUTES * 60_000 },
  async () => {
    const room = new Room()
    const clock = virtualClock(room.network)
    try {
      const report = await attend(room, clock, VIRTUAL_MINUTES, seed)
      judge(report)
    } finally {
      clock.end()
    }
  },
)

if (REAL_MINUTES === 0) console.info("Endurance in real time is not run: set ENDURANCE_REAL_MINUTES")
test.skipIf(REAL_MINUTES === 0)(
  "loses nothing in real time when people come, go and crash",
  { timeout: 300_000 + REAL_MINUTES * 120_000 },
  async () => judge(await attend(new Room(), realClock(), REAL_MINUTES, seed)),
)
