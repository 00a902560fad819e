import { expect, onTestFinished, test } from "vitest"
import { deflate, Inflater } from "../../src/wire/compression.ts"
import { virtualClock } from "./clock.ts"

/** Takes other threads many turns of the event loop. */
const LARGE = Uint8Array.from({ length: 8 * 1024 * 1024 }, (_, i) => (i * i) >> 7)

test.each<[string, () => Promise<() => Promise<unknown>>]>([
  ["compresses", async () => () => deflate(LARGE)],
  [
    "inflates",
    async () => {
      const deflated = await deflate(LARGE)
      return () => new Inflater().inflate(deflated, LARGE.length)
    },
  ],
  [
    "refuses to inflate too much",
    async () => {
      const deflated = await deflate(LARGE)
      return () => new Inflater().inflate(deflated, LARGE.length / 2)
    },
  ],
  ["refuses malformed data", async () => () => new Inflater().inflate(LARGE, LARGE.length)],
])("stands still while a member %s", async (_, prepare) => {
  const work = await prepare()
  const clock = virtualClock({ pending: 0 })
  onTestFinished(() => clock.end())
  const begun = clock.now()
  const ended = work().then(() => clock.now())
  await clock.sleep(1000)
  expect(await ended).toBe(begun)
  expect(clock.now()).toBe(begun + 1000)
})
