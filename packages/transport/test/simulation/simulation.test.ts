import { expect, test } from "vitest"
import { judge, memberNames, PlainTraffic, Random, randomSchedule, Simulation } from "@keymoot/transport/testing"
import type { Fault, TraceEvent } from "@keymoot/transport/testing"

const CALM_MS = 6000

function run(seed: number, members: number, faults: readonly Fault[]): readonly TraceEvent[] {
  const upper = (member: ConstructorParameters<typeof PlainTraffic>[0]): PlainTraffic =>
    new PlainTraffic(member, CALM_MS + 1500)
  return new Simulation({ seed, members, faults, calmMs: CALM_MS, settleMs: 4000, upper }).run()
}

function scheduleOf(seed: number, members: number): Fault[] {
  return randomSchedule(new Random(seed ^ 0x5eed), memberNames(members), 12, 300, CALM_MS - 200)
}

const from = Number(process.env["SIM_FROM"] ?? 1)
const count = Number(process.env["SIM_COUNT"] ?? 150)

test(`views and order survive ${count} random schedules of faults`, { timeout: 600_000 }, () => {
  for (let seed = from; seed < from + count; seed++) {
    const members = 3 + (seed % 6)
    const violations = judge(run(seed, members, scheduleOf(seed, members)))
    expect(violations.slice(0, 3), `seed ${seed}, ${members} members`).toEqual([])
  }
})

test("the same seed gives the same run, event for event", () => {
  const lines = (): string[] => run(7, 5, scheduleOf(7, 5)).map((event) => JSON.stringify(event))
  expect(lines()).toEqual(lines())
})
