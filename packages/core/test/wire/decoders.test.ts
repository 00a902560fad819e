/** Everything that this package reads of other members: no decoder throws, and none takes two forms of one thing. */
import { Random, tryDecoders } from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import { decoders } from "./all-decoders.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
/** `npm run test:all` tries more. */
const INPUTS = process.env["RUNS"] === "full" ? 150_000 : 20_000

const random = new Random(8)

test.each(Object.entries(decoders))("%s: what was made here is read as it is", (_, [samples, again]) => {
  for (const sample of samples) expect(again(sample)).toEqual(sample)
})

test(`mutated inputs cause no foreign exception or second encoding in the decoders`, COMPUTED, () => {
  const taken = tryDecoders(random, decoders, INPUTS)
  // Or nothing but the first check of all would have been tried.
  for (const [name, count] of taken) expect(count, name).toBeGreaterThan(INPUTS / taken.size / 100)
})
