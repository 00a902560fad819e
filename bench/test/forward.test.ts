import { expect, test } from "vitest"
import type { Figure } from "../src/experiment/figure.ts"
import { forwardExperiment } from "../src/forward/forward-experiment.ts"
import { MODES, Relay } from "../src/forward/relay.ts"
import { verifiersOf } from "../src/forward/schemes.ts"
import { expectSound } from "./sound.ts"

test("forward: passes good packets, drops those under a bad certificate, new or seen", async () => {
  const relay = await Relay.create()
  const passed: boolean[] = []
  for (const mode of [...MODES, ...MODES]) {
    for (const packet of relay.packets(1)) passed.push((await relay.pass(packet, mode)) !== null)
  }
  expect(passed).toEqual([true, true, false, true, true, true, false, true])
})

test("forward: gives a rate for each way beside the paper's, and steps sum to its time", async () => {
  const figures: Figure[] = []
  // One run: the medians of several need not add up.
  for await (const figure of forwardExperiment.run({ runs: 1, quick: true }, () => {})) figures.push(figure)
  expectSound("forward", figures)
  const rate = (mode: string): Figure => figures.find(({ event, unit }) => event === mode && unit === "per second")!
  expect(MODES.map((mode) => rate(mode).paper)).toEqual([396, 1190, undefined, 7000])
  const steps = MODES.map((mode) => {
    const parts = figures.filter(({ event, unit }) => event === mode && unit === "%")
    const whole = parts.reduce((sum, { median }) => sum + median, 0)
    expect(whole, mode).toBeCloseTo(100, 0)
    return parts.map(({ metric }) => metric.split(",")[0])
  })
  const whole = ["hop opened", "frame decoded", "certificate checked", "signature verified", "hop sealed"]
  expect(steps).toEqual([whole, whole, whole.slice(0, 3), ["hop opened", "hop sealed"]])
  expect(forwardExperiment.report!(figures)).toMatch(/^no cache: .*the paper: 396/u)
  const schemes = ["Ed25519", "P-256"].flatMap((curve) =>
    ["WebCrypto", "node:crypto", "noble"].map((library) => `${curve} (${library})`),
  )
  const measured = figures.flatMap(({ module }) => module ?? [])
  expect(new Set(measured)).toEqual(new Set(schemes))
  expect(measured.length).toBe(2 * schemes.length)
})

test("forward: each scheme and library refuses a signature of other bytes", async () => {
  const message = crypto.getRandomValues(new Uint8Array(32))
  const verifiers = await verifiersOf(message)
  for (const { name, verify } of verifiers) expect(await verify(), name).toBe(true)
  message[0]! ^= 1
  for (const { name, verify } of verifiers) expect(await verify(), name).toBe(false)
})
