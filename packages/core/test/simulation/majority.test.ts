import { expect, test } from "vitest"
import { realCryptography, toyCryptography } from "./cryptography.ts"
import { judgeMajority } from "./judges/judge-majority.ts"
import { postQuantumOf, runSecure, type SecureRun } from "./run.ts"

/** `npm run test:all` plays more. */
const [SCHEDULES, SIGNED_SCHEDULES] = process.env["RUNS"] === "full" ? [36, 16] : [14, 6]

/** Views that came by a key, and how many keys there were for them. */
function keysOf(trace: SecureRun["trace"]): { views: number; keys: number } {
  const keyed = trace.filter((event) => event.e === "keyed")
  return { views: new Set(keyed.map(({ id }) => id)).size, keys: new Set(keyed.map(({ key }) => key)).size }
}

test("majority: all with a quorum or a key get one key, after partitions and crashes", async () => {
  const toy = toyCryptography()
  const counted = { off: { views: 0, keys: 0 }, hybrid: { views: 0, keys: 0 } }
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const members = 2 + (seed % 7)
    const { trace, assertHolds } = await runSecure(seed, members, toy, "majority")
    await assertHolds(judgeMajority(trace, members))
    const counts = counted[postQuantumOf(seed)]
    const { views, keys } = keysOf(trace)
    counts.views += views
    counts.keys += keys
  }
  const { off, hybrid } = counted
  // One key serves several views, and sessions go on to new ones.
  expect(off.keys).toBeGreaterThan((2 / 3) * SCHEDULES)
  expect(off.views).toBeGreaterThan(2 * off.keys)
  // The post-quantum secret of each view is another one.
  expect(hybrid.views).toBeGreaterThan((2 / 3) * SCHEDULES)
  expect(hybrid.keys).toBe(hybrid.views)
})

test("majority: the same over ristretto255 and X25519 with signatures, 3 to 6 members", async () => {
  const real = await realCryptography()
  let keys = 0
  for (let seed = 101; seed <= 100 + SIGNED_SCHEDULES; seed++) {
    const members = 3 + (seed % 4)
    const { trace, assertHolds } = await runSecure(seed, members, real, "majority")
    await assertHolds(judgeMajority(trace, members))
    keys += keysOf(trace).keys
  }
  expect(keys).toBeGreaterThan(SIGNED_SCHEDULES / 2)
})
