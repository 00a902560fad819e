import { expect, test } from "vitest"
import { badLine } from "../../src/join/line.ts"
import { joinsReport, roomsOf } from "../../src/join/rooms.ts"
import { UsageError } from "../../src/run/options.ts"

test("compares rooms of all builds and modes with the first room", () => {
  const [off, hybrid] = roomsOf(["build"], ["off", "hybrid"])
  const report = joinsReport(
    [
      { ...off!, runs: [{ "link up": 500, secured: 1000 }, { secured: 1200 }, { secured: 800 }] },
      { ...hybrid!, runs: [{ secured: 1050 }, { secured: 1100 }, { secured: 2000 }] },
    ],
    200,
  )
  expect(roomsOf(["one", "two"], ["off", "hybrid"])).toHaveLength(4)
  expect(report).toContain("build, off: secured after 1000 ms (800 to 1200), 3 joins; 0.0 % beside the first room")
  expect(report).toContain("build, hybrid: secured after 1100 ms (1050 to 2000), 3 joins; 10.0 % beside the first room")
  expect(report).toMatch(/^link up +500 ms \(500 to 500\), 2.5 round trips, 1 of 3$/mu)
})

test("takes the line from the options, and refuses a share of loss that nothing passes", () => {
  expect(badLine("150", "2")).toEqual({ oneWayMs: 75, loss: 0.02 })
  expect(badLine("45", "0.5")).toEqual({ oneWayMs: 22.5, loss: 0.005 })
  expect(badLine("1", "0")).toEqual({ oneWayMs: 0.5, loss: 0 })
  for (const [roundTrip, lost] of [
    ["0", "2"],
    ["fast", "2"],
    ["150", "100"],
    ["150", "-1"],
    ["150", ""],
  ] as const)
    expect(() => badLine(roundTrip, lost), `${roundTrip}, ${lost}`).toThrow(UsageError)
})
