import { expect, test } from "vitest"
import { flood } from "./flood.ts"

test("a flood in every way of flooding ends the flooders and not the server, and honest people are answered", async () => {
  const figures = await flood(40, 3)
  expect(figures.failures).toBe(0)
  expect(figures.asked).toBeGreaterThan(0)
  expect(figures.goodbyes["flooding"]).toBeGreaterThan(0)
  expect(figures.requests["rate-limited"]).toBeGreaterThan(0)
  expect(figures.requests["bad-request"]).toBeGreaterThan(0)
})
