import { expect, test } from "vitest"
import { Ending, LATE_MS, PASS_ON_MS, type EndInput } from "../../../src/runtime/ending.ts"

const PLANNED: Omit<EndInput, "nowMs" | "tickMs"> = { endsAtMs: 1_000, isSet: false, expiresAtMs: 9_000_000 }

test("is over at once at the planned end", () => {
  const ending = new Ending()
  expect(ending.step({ ...PLANNED, nowMs: 999, tickMs: 0 })).toBe("open")
  expect(ending.step({ ...PLANNED, nowMs: 1_000, tickMs: 1 })).toBe("over")
})

test("stays to pass a host's statement on when that ends the conference", () => {
  const ending = new Ending()
  ending.step({ ...PLANNED, nowMs: 500, tickMs: 0 })
  const ended = { ...PLANNED, endsAtMs: 100, isSet: true, nowMs: 501 }
  expect(ending.step({ ...ended, tickMs: 10 })).toBe("open")
  expect(ending.step({ ...ended, tickMs: 10 + PASS_ON_MS })).toBe("over")
})

test("continues when a late entrant learns of an extension, else is over", () => {
  const [lucky, late] = [new Ending(), new Ending()]
  for (const each of [lucky, late]) expect(each.step({ ...PLANNED, nowMs: 2_000, tickMs: 0 })).toBe("late")
  expect(lucky.step({ ...PLANNED, endsAtMs: 3_000, isSet: true, nowMs: 2_000, tickMs: 5 })).toBe("open")
  expect(late.step({ ...PLANNED, nowMs: 2_000, tickMs: LATE_MS - 1 })).toBe("late")
  expect(late.step({ ...PLANNED, nowMs: 2_000, tickMs: LATE_MS })).toBe("over")
})

test("is over at the outer bound, also with later statements", () => {
  const input = { ...PLANNED, endsAtMs: Number.MAX_SAFE_INTEGER, isSet: true, tickMs: 0 }
  expect(new Ending().step({ ...input, nowMs: PLANNED.expiresAtMs })).toBe("over")
})
