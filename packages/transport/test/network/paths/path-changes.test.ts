import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { HEARTBEATS_LOSSY_BYTES_MAX, LINK_SILENT_MS, RESUME_GRACE_MS } from "../../../src/bounds/network-bounds.ts"
import { TwoEnds } from "./two-ends.ts"

const end = fc.constantFrom<(0 | 1)[]>(0, 1)
const at = fc.nat(7)
const move = fc.oneof(
  fc.record({ type: fc.constant("send" as const), end, count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constant("deliver" as const), at, end, count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant("pass" as const), ms: fc.constantFrom(100, 300, 900, 2_000) }),
  fc.record({ type: fc.constant("stall" as const), at }),
  fc.record({ type: fc.constant("heal" as const), at }),
  fc.record({ type: fc.constant("break" as const), at, end }),
  fc.record({ type: fc.constant("open" as const) }),
)

describe("a link whose path changes", () => {
  test("delivers everything once and in order, and stays up, in any schedule of changes", () => {
    let changes = 0
    fc.assert(
      fc.property(fc.array(move, { minLength: 10, maxLength: 60 }), (moves) => {
        const both = new TwoEnds()
        both.open("server")
        const [relay] = both.paths
        for (const each of moves) {
          // The relay, which neither stalls nor breaks, is the one path that stays.
          const others = both.paths.filter((path) => path !== relay)
          const path = "at" in each && others.length > 0 ? others[each.at % others.length] : undefined
          if (each.type === "send") both.send(each.end, each.count)
          else if (each.type === "pass") both.pass(each.ms)
          else if (each.type === "open") {
            // A connection replaces the former one.
            for (const former of others) both.break(former, 0)
            both.open("webrtc")
          } else if (each.type === "deliver") both.deliver(path ?? relay!, each.end, each.count)
          else if (!path) continue
          else if (each.type === "break") both.break(path, each.end)
          else path.isStalled = each.type === "stall"
        }
        for (const path of both.paths) path.isStalled = false
        both.pass(500)
        both.pass(500, 0)
        expect(both.faults).toEqual([])
        for (const index of [0, 1] as const) {
          const arrived = both.received[index]
          expect(arrived).toEqual(Array.from({ length: both.sent[1 - index]! }, (_, each) => each))
        }
        changes += both.changes
      }),
      { numRuns: 3_000 },
    )
    expect(changes).toBeGreaterThan(10_000)
  })

  test("is direct again at both ends when a member was silent and its relay slow", () => {
    const tenths = fc.integer({ min: 0, max: 20 })
    const pause = fc.record({ ok: tenths, silent: tenths, relay: fc.tuple(tenths, tenths) })
    fc.assert(
      fc.property(fc.array(pause, { minLength: 3, maxLength: 20 }), (pauses) => {
        const both = new TwoEnds()
        both.open("server")
        both.open("webrtc")
        const [relay, direct] = both.paths
        for (const {
          ok,
          silent,
          relay: [low, high],
        } of pauses) {
          both.pass(100 * ok)
          for (const half of [...relay!.halves, ...direct!.halves]) half.isStalled = true
          both.pass(100 * silent)
          for (const half of direct!.halves) half.isStalled = false
          both.pass(100 * Math.min(low, high))
          relay!.halves[low < high ? 0 : 1].isStalled = false
          both.pass(100 * Math.abs(low - high))
          for (const half of relay!.halves) half.isStalled = false
        }
        both.pass(12_000)
        both.pass(500, 0)
        expect(both.links.map(({ path }) => path)).toEqual(["direct", "direct"])
        expect(both.received.map(({ length }) => length)).toEqual(both.sent)
        expect(both.faults).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test("is relayed a second after its direct path stalls, and down only without a path", () => {
    const both = new TwoEnds()
    both.open("server")
    both.pass(200)
    both.open("webrtc")
    both.pass(500)
    expect(both.links.map(({ path }) => path)).toEqual(["direct", "direct"])
    const [relay, direct] = both.paths
    direct!.isStalled = true
    both.pass(900)
    both.pass(100, 0)
    expect(both.links.map(({ path }) => path)).toEqual(["relayed-by-server", "relayed-by-server"])
    expect(both.received.map(({ length }) => length)).toEqual(both.sent)
    expect(both.faults).toEqual([])
    for (const path of [relay!, direct!]) both.break(path, 0)
    both.break(direct!, 1)
    both.pass(RESUME_GRACE_MS + 200)
    expect(both.faults).toContain("down: broken")
  })

  /** A link whose two paths deliver nothing for so long, in which each end sends. */
  function stalledFor(ms: number, count = 1): TwoEnds {
    const both = new TwoEnds()
    both.open("server")
    both.open("webrtc")
    both.pass(500)
    for (const path of both.paths) path.isStalled = true
    both.pass(ms, count)
    return both
  }

  test("queues no message twice on one path when it returns to that", () => {
    const both = stalledFor(6_000, 2)
    const numbers = both.paths.map(({ halves: [{ sent }] }) =>
      sent.flatMap((item) => ("message" in item ? [item.message] : [])),
    )
    for (const queued of numbers) {
      expect(queued.length).toBeGreaterThan(10)
      expect(new Set(queued).size).toBe(queued.length)
    }
    // Both ends have gone to the relay twice, and to the direct path twice.
    expect(both.changes).toBe(8)
    for (const path of both.paths) path.isStalled = false
    both.pass(500, 0)
    expect(both.faults).toEqual([])
    expect(both.received.map(({ length }) => length)).toEqual(both.sent)
  })

  test("loses nothing when each direction of each path is silent for another time", () => {
    const tenths = fc.integer({ min: 0, max: 60 })
    const pause = fc.record({ ok: fc.integer({ min: 0, max: 20 }), silent: fc.tuple(tenths, tenths, tenths, tenths) })
    fc.assert(
      fc.property(fc.array(pause, { minLength: 1, maxLength: 6 }), (pauses) => {
        const both = new TwoEnds()
        both.open("server")
        both.open("webrtc")
        const halves = both.paths.flatMap((path) => path.halves)
        for (const { ok, silent } of pauses) {
          both.pass(100 * ok)
          for (let tenth = 0; tenth <= Math.max(...silent); tenth++) {
            halves.forEach((half, index) => (half.isStalled = silent[index]! > tenth))
            both.pass(100)
          }
        }
        both.pass(1_000, 0)
        expect(both.faults).toEqual([])
        expect(both.received.map(({ length }) => length)).toEqual([both.sent[1], both.sent[0]])
      }),
      { numRuns: 1_000 },
    )
  })

  test("takes no heartbeat when messages wait for a second and nothing comes", () => {
    const both = stalledFor(LINK_SILENT_MS)
    expect(both.links.map(({ heartbeatLane }) => heartbeatLane === null)).toEqual([false, false])
    both.pass(100)
    expect(both.links.map(({ heartbeatLane }) => heartbeatLane === null)).toEqual([true, true])
    for (const path of both.paths) path.isStalled = false
    both.pass(200)
    expect(both.links.map(({ heartbeatLane }) => heartbeatLane === null)).toEqual([false, false])
    both.pass(2 * LINK_SILENT_MS, 0)
    expect(both.links.map(({ heartbeatLane }) => heartbeatLane === null)).toEqual([false, false])
  })

  test("may lose a heartbeat on a direct path alone, while something small waits", () => {
    const both = new TwoEnds()
    both.open("server")
    both.pass(100, 0)
    const [link] = both.links
    both.send(0, 1)
    expect(link.heartbeatLane).toBe("reliable")
    both.open("webrtc")
    both.pass(500, 0)
    expect([link.path, link.session.unackedBytes, link.heartbeatLane]).toEqual(["direct", 0, "reliable"])
    both.send(0, 1)
    expect(link.heartbeatLane).toBe("unreliable")
    both.send(0, HEARTBEATS_LOSSY_BYTES_MAX / 4)
    expect(link.heartbeatLane).toBe("reliable")
  })

  test("holds back what is sent over a silent direct path until that is heard", () => {
    const both = new TwoEnds()
    both.open("webrtc")
    // The first messages after a rest wait for no sign of life.
    both.pass(3 * LINK_SILENT_MS, 0)
    both.pass(200)
    expect(both.received.map(({ length }) => length)).toEqual([2, 2])
    const [direct] = both.paths
    direct!.isStalled = true
    both.pass(4 * LINK_SILENT_MS)
    for (const { sent } of direct!.halves) {
      const messages = sent.filter((item) => "message" in item)
      expect(messages.length).toBeGreaterThanOrEqual(LINK_SILENT_MS / 100)
      expect(messages.length).toBeLessThan((1.2 * LINK_SILENT_MS) / 100)
    }
    direct!.isStalled = false
    both.pass(300, 0)
    expect(both.received.map(({ length }) => length)).toEqual(both.sent)
    expect(both.faults).toEqual([])
  })
})
