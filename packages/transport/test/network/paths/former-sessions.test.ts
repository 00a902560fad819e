import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { RESUME_GRACE_MS, RESUMING_MS } from "../../../src/bounds/network-bounds.ts"
import { TwoEnds } from "./two-ends.ts"

const end = fc.constantFrom<(0 | 1)[]>(0, 1)
const kind = fc.constantFrom<("webrtc" | "server")[]>("webrtc", "server")
const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("pass" as const), ms: fc.constantFrom(100, 300) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("open" as const), kind }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("stall" as const), kind }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("heal" as const), kind }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("lose" as const), end }) },
)

/** Opens a connection, which replaces the former one of its kind at both ends. */
function reopen(both: TwoEnds, of: "webrtc" | "server"): void {
  for (const path of both.paths.filter((each) => each.kind === of))
    for (const index of [0, 1] as const) both.break(path, index)
  both.open(of)
}

const refusals = (both: TwoEnds) => both.faults.filter((fault) => fault.startsWith("bad"))

describe("a link between ends that give their state up", () => {
  test("refuses no honest end, and carries everything again, in any schedule", () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 5, maxLength: 40, size: "max" }), (moves) => {
        const both = new TwoEnds()
        both.open("server")
        for (const each of moves) {
          if (each.type === "pass") both.pass(each.ms)
          else if (each.type === "open") reopen(both, each.kind)
          else if (each.type === "lose") both.lose(each.end)
          else for (const path of both.paths) if (path.kind === each.kind) path.isStalled = each.type === "stall"
        }
        for (const path of both.paths) path.isStalled = false
        both.pass(2 * RESUME_GRACE_MS, 0)
        reopen(both, "server")
        both.pass(300, 0)
        const before = both.received.map(({ length }) => length)
        both.pass(500)
        both.pass(300, 0)
        expect(refusals(both)).toEqual([])
        expect(both.received.map((all, index) => all.length - before[index]!)).toEqual([5, 5])
      }),
      { numRuns: 10_000 },
    )
  })

  test("takes nothing of a former session that arrives after the present one began", () => {
    const both = new TwoEnds()
    both.open("server")
    const [delayed] = both.paths
    delayed!.isStalled = true
    both.lose(0)
    both.open("webrtc")
    both.pass(500)
    delayed!.isStalled = false
    both.pass(500)
    reopen(both, "webrtc")
    both.pass(500)
    both.pass(200, 0)
    expect(both.faults).toEqual([])
    expect(both.received.map(({ length }) => length)).toEqual(both.sent)
    expect(both.sent[0]).toBeGreaterThan(10)
  })
})

describe("a link without a connection", () => {
  const breakAt = (both: TwoEnds) => {
    both.open("server")
    both.pass(500)
    for (const index of [0, 1] as const) both.break(both.paths[0]!, index)
  }

  test("stays up when its next connection is established as its time ends", () => {
    const both = new TwoEnds()
    breakAt(both)
    both.pass(RESUME_GRACE_MS - 100, 0)
    both.open("server")
    both.pass(500)
    expect(both.faults).toEqual([])
    expect(both.received).toEqual([0, 1].map(() => Array.from({ length: 9 }, (_, index) => index)))
  })

  test("goes down in time when the other end establishes connections and resumes none", () => {
    const both = new TwoEnds()
    breakAt(both)
    const lostMs = both.nowMs
    for (let round = 0; round < 20 && both.faults.length === 0; round++) {
      both.pass(400, 0)
      reopen(both, "server")
      both.paths.at(-1)!.isStalled = true
    }
    expect(both.faults.length).toBeGreaterThan(0)
    expect(both.nowMs - lostMs).toBeLessThanOrEqual(RESUME_GRACE_MS + RESUMING_MS + 400)
  })
})
