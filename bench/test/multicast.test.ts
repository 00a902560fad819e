import { MulticastPair } from "@keymoot/core/testing"
import { expect, test } from "vitest"
import type { Figure } from "../src/experiment/figure.ts"
import { multicast, PLAIN_BYTES } from "../src/multicast/multicast.ts"
import { multicastExperiment } from "../src/multicast/multicast-experiment.ts"
import { expectSound } from "./sound.ts"

test("multicast: gives time and rate of each configuration; rates invert the times", async () => {
  const figures: Figure[] = []
  for await (const figure of multicastExperiment.run({ sizes: [0, 300_000], runs: 1 }, () => {})) figures.push(figure)
  const kinds = figures.map(({ n, module, event, metric, unit }) => `${n} ${module} ${event} ${metric} ${unit}`)
  // Throughput is of messages with bytes.
  expect(new Set(kinds).size).toBe(2 * 2 * 2 * 2 * 2 + 2 * 2 * 2 + 2 * 2 * 2)
  expectSound("multicast", figures)
  for (const [i, { n, unit, median }] of figures.entries()) {
    if (unit === "per second") expect(median * figures[i - 1]!.median).toBeCloseTo(1000, -2)
    if (unit === "MB/s") expect(median / figures[i - 1]!.median).toBeCloseTo(n! / 1_000_000, 1)
  }
})

test("multicast: compares the modes within each run when the machine grows slower", async () => {
  const modes: string[] = []
  // As a machine that other work takes over: a series of one mode after the other would make the second one slower.
  const slower = (mode: string) => {
    modes.push(mode)
    const ms = 2 ** Math.floor((modes.length - 1) / 2)
    return Promise.resolve({ send: mode === "signature" ? 3 * ms : ms, receive: ms })
  }
  const figures = await multicast(PLAIN_BYTES, 2, slower)
  expect(modes.slice(0, 4)).toEqual(["signature", "group", "group", "signature"])
  const ratio = (metric: string) => figures.find((figure) => figure.unit === "ratio" && figure.metric === metric)!
  expect(ratio("send, to the group key")).toMatchObject({ min: 3, median: 3, max: 3, runs: 2 })
  expect(ratio("receive, to the group key").median).toBe(1)
  const { found } = multicastExperiment.shows!
  expect(found(figures)).toContain("Signed, one message takes 3 times (3 to 3, 2 runs) as long to send")
  expect(found(figures.filter((figure) => figure.unit !== "ratio"))).toContain("so they do not compare the modes")
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
