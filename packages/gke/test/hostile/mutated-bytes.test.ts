/** Everything that the modules read of other members: no decoder throws, and none takes two forms of one thing. */
import { expect, test } from "vitest"
import { Random, tryDecoders } from "@keymoot/transport/testing"
import { decoders } from "../all-decoders.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
/** `npm run test:all` tries more. */
const INPUTS = process.env["RUNS"] === "full" ? 100_000 : 30_000

const random = new Random(9)

test.each(Object.entries(decoders))("%s: what was made here is read as it is", (_, [samples, again]) => {
  for (const sample of samples) expect(again(sample)).toEqual(sample)
})

test(`${INPUTS} mutated inputs cause no foreign exception or second encoding`, COMPUTED, () => {
  const taken = tryDecoders(random, decoders, INPUTS)
  // Or nothing but the first check of all would have been tried.
  for (const [name, count] of taken) expect(count, name).toBeGreaterThan(INPUTS / taken.size / 100)
})
