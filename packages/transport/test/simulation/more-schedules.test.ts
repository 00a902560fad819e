import { expect, test } from "vitest"
import { firstViolation, SCHEDULES } from "./schedules.ts"

/** `npm run test:all` plays more. */
const LARGE_SCHEDULES = process.env["RUNS"] === "full" ? 3 : 1

test("views and all six services survive the other half of the schedules", { timeout: 600_000 }, () => {
  expect(firstViolation(1 + SCHEDULES / 2, SCHEDULES / 2)).toBeNull()
})

test("keeps views and all six services with 40 members", { timeout: 600_000 }, () => {
  expect(firstViolation(1, LARGE_SCHEDULES, () => 40, 5)).toBeNull()
})
