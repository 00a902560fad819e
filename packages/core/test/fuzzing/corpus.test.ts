import { Random } from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import { keptInputs } from "./corpus.ts"
import { Coverage } from "./coverage.ts"
import { fuzz } from "./fuzzer.ts"
import { TARGETS } from "./targets.ts"

test.each(Object.entries(TARGETS))("%s survives its seeds and all kept inputs", async (name, target) => {
  for (const input of [...target.seeds, ...keptInputs(name)]) await target.run(input.slice())
  await target.end?.()
})

test("finds an input that needs several steps, and keeps those that lead there", async () => {
  const coverage = new Coverage(/planted-fault/u)
  const { steps } = await import("./planted-fault.ts")
  const corpus = [Uint8Array.of(0, 0, 0, 0)]
  const run = (bytes: Uint8Array): void => steps(bytes)
  const report = await fuzz({ seeds: corpus, run }, corpus, {
    coverage,
    random: new Random(1),
    forMs: 60_000,
    batch: 2000,
  })
  coverage.end()
  expect(report.findings[0]?.error).toContain("planted")
  expect(corpus.length).toBeGreaterThan(2)
})
