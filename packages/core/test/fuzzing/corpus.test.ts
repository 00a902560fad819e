import { Random } from "@keymoot/transport/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { keptInputs } from "./corpus.ts"
import { Coverage } from "./coverage.ts"
import { fuzz, inputBytesMax } from "./fuzzer.ts"
import { TARGETS } from "./targets.ts"

test.each(Object.entries(TARGETS))("%s mutates each of its seeds as a whole", (_, target) => {
  expect(Math.max(...target.seeds.map(({ length }) => length))).toBeLessThanOrEqual(inputBytesMax(target))
})

test.each(Object.entries(TARGETS))("%s survives its seeds and all kept inputs", async (name, target) => {
  for (const input of [...target.seeds, ...keptInputs(name)]) await target.run(input.slice())
  await target.end?.()
})

describe("the fuzzer, with a planted fault", () => {
  let coverage: Coverage
  let steps: (bytes: Uint8Array) => void
  let reserve: (bytes: Uint8Array) => number
  // V8 counts blocks only of functions that it compiles from then on.
  beforeAll(async () => {
    coverage = new Coverage(/planted-fault/u)
    ;({ steps, reserve } = await import("./planted-fault.ts"))
  })
  afterAll(() => coverage.end())

  const options = () => ({ coverage, random: new Random(1), batch: 2000, forMs: 20_000 })

  test("finds an input that needs several steps, and keeps those that lead there", async () => {
    const { findings, kept } = await fuzz({ seeds: [new Uint8Array(4)], run: (bytes) => steps(bytes) }, [], options())
    expect(findings[0]?.error).toContain("planted")
    expect(kept.length).toBeGreaterThan(1)
  })

  test("finds it also when the corpus is full from the first step on", async () => {
    const target = { seeds: [new Uint8Array(4)], run: (bytes: Uint8Array) => steps(bytes) }
    const { findings, kept, replaced } = await fuzz(target, [], { ...options(), keptMax: 1 })
    expect(findings[0]?.error).toContain("planted")
    expect(kept).toHaveLength(1)
    expect(replaced).toBeGreaterThan(0)
  })

  test("finds an input that takes much memory when the memory is free again afterwards", async () => {
    const target = { seeds: [Uint8Array.of(0x4b, 0)], run: (bytes: Uint8Array) => void reserve(bytes) }
    const { findings } = await fuzz(target, [], { ...options(), batch: 50 })
    expect(findings[0]?.error).toContain("bytes")
  })

  test("drops an earlier kept input when a shorter one reaches the same", async () => {
    const earlier = [Uint8Array.of(0x4b, 0, 0, 0), Uint8Array.of(0x4b, 0)]
    const { kept } = await fuzz({ seeds: [], run: (bytes) => steps(bytes) }, earlier, { ...options(), forMs: 0 })
    expect(kept).toEqual([Uint8Array.of(0x4b, 0)])
  })
})
