import { expect, test } from "vitest"
import { assertHolds, judge, manyMembersScenario, play } from "@keymoot/transport/testing"

const MEMBERS = 26
/** One of each kind: a newcomer, a crash, a split in three, and its end. */
const CHANGES = 4

test("26 sparse members keep all properties through a join, crash, split and merge", { timeout: 600_000 }, () => {
  const scenario = manyMembersScenario(1, MEMBERS, CHANGES)
  const trace = play(scenario)
  assertHolds(judge(trace), scenario, {}, `${MEMBERS} members`)
  const views = trace.flatMap((event) => (event.e === "view" ? [event] : []))
  const sizes = new Set(views.map(({ D }) => D.length))
  // All but the absent one, with it, without the one that crashed, parts, and all that are left.
  expect(sizes.has(MEMBERS - 1) && sizes.has(MEMBERS)).toBe(true)
  expect(views.at(-1)!.D).toHaveLength(MEMBERS - 1)
  expect(Math.min(...[...sizes].filter((size) => size > 1))).toBeLessThan(MEMBERS / 2)
})
