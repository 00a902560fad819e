import { expect, test } from "vitest"
import { judge, play, randomScenario, SERVICES } from "@keymoot/transport/testing"
import { firstViolation, SCHEDULES } from "./schedules.ts"

// The other half is in a file of its own, so that two processors share them.
test("views and all six services survive random schedules of faults", { timeout: 600_000 }, () => {
  expect(firstViolation(1, SCHEDULES / 2)).toBeNull()
})

test("the same seed gives the same run, event for event", () => {
  const lines = (): string[] => play(randomScenario(7, 5)).map((event) => JSON.stringify(event))
  expect(lines()).toEqual(lines())
})

test("every run sends over all services, and ends in calm", () => {
  const trace = play(randomScenario(3, 4))
  const services = new Set(trace.flatMap((event) => (event.e === "send" ? [event.s] : [])))
  expect([...services].sort()).toEqual([...SERVICES].sort())
  expect(trace.filter(({ e }) => e === "calm" || e === "end").map(({ e }) => e)).toEqual(["calm", "end"])
  expect(judge(trace)).toEqual([])
})
