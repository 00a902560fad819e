import { expect, test } from "vitest"
import { judge, manyMembersScenario, play } from "@keymoot/transport/testing"

const MEMBERS = 26
/** One of each kind: a newcomer, a crash, a split in three, and its end. */
const CHANGES = 4

test(
  "26 members with a few links each keep all properties through a newcomer, a crash, a split in three and its end",
  { timeout: 600_000 },
  () => {
    const trace = play(manyMembersScenario(1, MEMBERS, CHANGES))
    expect(judge(trace)).toEqual([])
    const views = trace.flatMap((event) => (event.e === "view" ? [event] : []))
    const sizes = new Set(views.map(({ D }) => D.length))
    // All but the absent one, with it, without the one that crashed, parts, and all that are left.
    expect(sizes.has(MEMBERS - 1) && sizes.has(MEMBERS)).toBe(true)
    expect(views.at(-1)!.D).toHaveLength(MEMBERS - 1)
    expect(Math.min(...[...sizes].filter((size) => size > 1))).toBeLessThan(MEMBERS / 2)
  },
)
