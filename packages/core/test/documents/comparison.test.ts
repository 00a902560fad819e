import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import {
  Comparison,
  DIFFERENCES_ANSWERED_MAX,
  DIFFERENCES_BEFORE_REPORT,
  type Verdict,
} from "../../src/documents/comparison.ts"

const BOB = "b".repeat(32) as MemberId

/** Verdicts of a member whose document differs from Bob's, over so many digests of Bob. */
function verdicts(count: number): Verdict[] {
  const comparison = new Comparison()
  comparison.setOwn(new Uint8Array(32))
  return Array.from({ length: count }, (_, at) => comparison.receive(BOB, new Uint8Array(32).fill(1 + at)))
}

test("answers after its report, so that the other member can count as many", () => {
  expect(verdicts(DIFFERENCES_BEFORE_REPORT + 2)).toEqual(["again", "wish", "wish", "differs", "again", "again"])
})

test("answers a bounded number of different digests, and reports once", () => {
  const all = verdicts(3 * DIFFERENCES_ANSWERED_MAX)
  expect(all.filter((verdict) => verdict === "differs")).toHaveLength(1)
  expect(all.filter((verdict) => verdict !== "same")).toHaveLength(DIFFERENCES_ANSWERED_MAX)
  expect(all.lastIndexOf("again")).toBe(DIFFERENCES_ANSWERED_MAX - 1)
})
