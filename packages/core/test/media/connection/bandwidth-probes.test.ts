import { expect, test } from "vitest"
import { BandwidthProbes, estimateOf } from "../../../src/media/connection/bandwidth-probes.ts"

const WANTED = 700_000

/** Whether each of these estimates, in kbit/s, has the browser probe. */
function probes(...estimates: readonly (number | null)[]): boolean[] {
  const watch = new BandwidthProbes()
  return estimates.map((kilobits) =>
    watch.step({ estimate: kilobits === null ? null : 1000 * kilobits, wanted: WANTED }),
  )
}

test("probes when the estimate grows and pictures could take more", () => {
  expect(probes(400, 430, 480)).toEqual([false, true, true])
})

test("does not probe a line that is full or becomes narrower", () => {
  expect(probes(400, 400, 404, 300)).toEqual([false, false, false, false])
})

test("does not probe when pictures have all that they may take", () => {
  expect(probes(500, 700, 800)).toEqual([false, false, false])
})

test("calls a line narrow while pictures could take more, as far as the browser knows", () => {
  const watch = new BandwidthProbes()
  const narrow = [400, 700, 800, 300, null].map((kilobits) => {
    watch.step({ estimate: kilobits === null ? null : 1000 * kilobits, wanted: WANTED })
    return watch.isNarrow
  })
  expect(narrow).toEqual([true, false, false, true, false])
})

test("does not probe in a browser without an estimate", () => {
  expect(probes(null, null, 400)).toEqual([false, false, false])
})

test("reads the estimate of the path in use alone", () => {
  const pair = { type: "candidate-pair", nominated: true, state: "succeeded", availableOutgoingBitrate: 5 }
  expect(estimateOf([{ ...pair, nominated: false }, { type: "transport" }, { ...pair, state: "failed" }])).toBeNull()
  expect(estimateOf([{ ...pair, nominated: false, availableOutgoingBitrate: 9 }, pair])).toBe(5)
})
