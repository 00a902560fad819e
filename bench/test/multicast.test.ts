import { MulticastPair } from "@keymoot/core/testing"
import { expect, test } from "vitest"
import type { Figure } from "../src/experiment/figure.ts"
import { multicastExperiment } from "../src/multicast/multicast-experiment.ts"
import { expectSound } from "./sound.ts"

test("multicast: gives time and rate of each configuration; rates invert the times", async () => {
  const figures: Figure[] = []
  for await (const figure of multicastExperiment.run({ sizes: [0, 300_000], runs: 1 }, () => {})) figures.push(figure)
  const kinds = figures.map(({ n, module, event, metric, unit }) => `${n} ${module} ${event} ${metric} ${unit}`)
  // Throughput is of messages with bytes.
  expect(new Set(kinds).size).toBe(2 * 2 * 2 * 2 * 2 + 2 * 2 * 2)
  expectSound("multicast", figures)
  for (const [i, { n, unit, median }] of figures.entries()) {
    if (unit === "per second") expect(median * figures[i - 1]!.median).toBeCloseTo(1000, -2)
    if (unit === "MB/s") expect(median / figures[i - 1]!.median).toBeCloseTo(n! / 1_000_000, 1)
  }
})

test.each(["signature", "group"] as const)(
  "%s: many leave in few frames, and a frame that was altered is refused",
  async (mode) => {
    const pair = await MulticastPair.create(mode)
    const payloads = Array.from({ length: 600 }, () => new Uint8Array(100))
    const sent = await pair.send(payloads)
    expect(sent.length).toBe(2)
    expect(await pair.receive(sent)).toBe(600)
    const [altered] = await pair.send([new Uint8Array(100)])
    altered![altered!.length - 1]! ^= 1
    await expect(pair.receive([altered!])).rejects.toThrow("bad-signature")
  },
)
