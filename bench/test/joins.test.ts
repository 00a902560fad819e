import { expect, test } from "vitest"
import { joinsReport, roomsOf } from "../src/join/rooms.ts"

test("compares rooms of all builds and modes with the first room", () => {
  const [off, hybrid] = roomsOf(["build"], ["off", "hybrid"])
  const report = joinsReport([
    { ...off!, runs: [{ "link up": 500, secured: 1000 }, { secured: 1200 }, { secured: 800 }] },
    { ...hybrid!, runs: [{ secured: 1050 }, { secured: 1100 }, { secured: 2000 }] },
  ])
  expect(roomsOf(["one", "two"], ["off", "hybrid"])).toHaveLength(4)
  expect(report).toContain("build, off: secured after 1000 ms (800 to 1200), 3 joins; 0.0 % beside the first room")
  expect(report).toContain("build, hybrid: secured after 1100 ms (1050 to 2000), 3 joins; 10.0 % beside the first room")
  expect(report).toMatch(/^link up +500 ms \(500 to 500\), 1 of 3$/mu)
})
