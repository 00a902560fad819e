import { expect, test } from "vitest"
import { flood } from "./flood.ts"

test("every kind of flood ends the flooder, not the server, and others are served", async () => {
  const figures = await flood(40, 3)
  expect(figures.failures).toBe(0)
  expect(figures.asked).toBeGreaterThan(0)
  expect(figures.goodbyes["flooding"]).toBeGreaterThan(0)
  expect(figures.requests["rate-limited"]).toBeGreaterThan(0)
  expect(figures.requests["bad-request"]).toBeGreaterThan(0)
})
