import { assertHolds, randomScenario } from "@keymoot/transport/testing"
import { expect, test } from "vitest"

const scenario = randomScenario(3, 4)
const VIOLATED_MS = 700

function failure(): string[] {
  const violation = { property: "1 integrity", detail: "a delivers what nobody sent", t: VIOLATED_MS }
  try {
    assertHolds([violation], scenario, {}, "seed 3")
  } catch (error) {
    return (error as Error).message.split("\n")
  }
  throw new Error("a violation was accepted")
}

test("shows the trace events up to a violation with the names of the members", () => {
  const [context, violation, title, ...events] = failure()
  expect([context, title]).toEqual(["seed 3", "Last trace events:"])
  expect(violation).toBe("1 integrity: a delivers what nobody sent (700 ms)")
  expect(events.length).toBeGreaterThan(5)
  expect(events.filter((line) => !/^00:00:00\.\d{3} [a-d] group (?:debug|info|warn) [a-z-]+/u.test(line))).toEqual([])
  const lastMs = Number(events.at(-1)!.slice(9, 12))
  expect(lastMs).toBeLessThanOrEqual(VIOLATED_MS)
})

test("accepts a run without violations", () => {
  expect(() => assertHolds([], scenario, {}, "seed 3")).not.toThrow()
})
