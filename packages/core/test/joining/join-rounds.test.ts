import { expect, test } from "vitest"
import { TICK_MS } from "../../src/runtime/ticker.ts"
import { measureJoin, measureReturn, type JoinStep, type JoinTimes } from "./measure-join.ts"

/** Below the times after which the protocol tries something again. No half round trips add up to about `RELAY_AFTER_MS`, 400. */
const [NEAR_MS, FAR_MS] = [180, 350]
/** Ticks of both ends, which a step can wait for at one distance and not at the other. */
const JITTER_ROUNDS = 0.3

type Rounds = Readonly<Record<keyof JoinTimes, Readonly<Record<JoinStep, number>>>>

/**
 * Round trips until each step. The difference of two distances leaves out what does not depend on the distance: ticks,
 * and the time in which joins are collected.
 */
async function countRounds(newcomerIsLower: boolean, measure = measureJoin): Promise<Rounds> {
  const [near, far] = [await measure(NEAR_MS, newcomerIsLower), await measure(FAR_MS, newcomerIsLower)]
  const rounds = (end: keyof JoinTimes) =>
    Object.fromEntries(
      Object.entries(far[end]).map(([step, ms]) => [step, (ms - near[end][step as JoinStep]!) / (FAR_MS - NEAR_MS)]),
    ) as Record<JoinStep, number>
  return { member: rounds("member"), newcomer: rounds("newcomer") }
}

/** As decision 0071 explains them: half a round trip is one way. */
const EXPECTED: Readonly<Record<"higher" | "lower", Rounds>> = {
  higher: {
    newcomer: { "link-up": 2, "view-change": 3, view: 4, keyed: 4, secured: 5 },
    member: { "link-up": 2.5, "view-change": 2.5, view: 3.5, keyed: 4.5, secured: 4.5 },
  },
  lower: {
    newcomer: { "link-up": 2, "view-change": 3, view: 4, keyed: 5, secured: 5 },
    member: { "link-up": 2.5, "view-change": 3.5, view: 4.5, keyed: 4.5, secured: 5.5 },
  },
}

for (const id of ["higher", "lower"] as const) {
  test(`a newcomer with a ${id} id is secured after five round trips`, async () => {
    const rounds = await countRounds(id === "lower")
    for (const end of ["newcomer", "member"] as const) {
      const expected = EXPECTED[id][end]
      expect(Object.keys(rounds[end]).toSorted(), end).toEqual(Object.keys(expected).toSorted())
      for (const [step, count] of Object.entries(expected))
        expect(Math.abs(rounds[end][step as JoinStep] - count), `${step} at the ${end}`).toBeLessThan(JITTER_ROUNDS)
    }
  })
}

test("a member is secured after an outage as soon as a newcomer", async () => {
  for (const id of ["higher", "lower"] as const) {
    const rounds = await countRounds(id === "lower", measureReturn)
    for (const end of ["newcomer", "member"] as const)
      expect(rounds[end].secured, `${id} ${end}`).toBeLessThan(EXPECTED[id][end].secured + JITTER_ROUNDS)
    // Besides five round trips, one tick of each end.
    const { newcomer } = await measureReturn(NEAR_MS, id === "lower")
    expect(newcomer.secured!).toBeLessThanOrEqual(5 * NEAR_MS + 2 * TICK_MS)
  }
})

test("a newcomer is proposed within a tick of its heartbeat", async () => {
  // The heartbeat comes with the message that brings the link up.
  const { member } = await measureJoin(NEAR_MS, false)
  expect(member["view-change"]! - member["link-up"]!).toBeLessThanOrEqual(TICK_MS)
})

test("a newcomer is secured when a round trip takes a second", async () => {
  for (const newcomerIsLower of [false, true]) {
    const { newcomer, member } = await measureJoin(1000, newcomerIsLower)
    expect(newcomer.secured).toBeDefined()
    expect(member.secured).toBeDefined()
  }
})
