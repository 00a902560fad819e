import { expect, test } from "vitest"
import { relayLoad } from "./relay-load.ts"

test("rooms of four fill over the relay without a refusal", async () => {
  const figures = await relayLoad(4, 40)
  expect(figures).toMatchObject({ joins: 16, failures: {} })
  // Each of the six pairs of a room takes nine messages.
  expect(figures.frames).toBeGreaterThanOrEqual(4 * 6 * 9)
})
