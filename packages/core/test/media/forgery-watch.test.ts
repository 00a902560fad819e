import type { MemberId } from "@keymoot/transport"
import { beforeEach, describe, expect, test } from "vitest"
import { FORGED_FRAMES_MIN, FORGERIES_APART_MS, ForgeryWatch } from "../../src/media/call/forgery-watch.ts"
import { frameCounts, type ReceptionCounts } from "../../src/media/call/reception.ts"
import type { TrackCounts } from "../../src/media/worker/frame-transforms.ts"

const [EVE, BOB] = ["e", "b"].map((digit) => digit.repeat(32)) as [MemberId, MemberId]
const LOOK_MS = 2000
const NOTHING: ReceptionCounts = { packets: 0, lost: 0, roundTripMs: null, passed: 0, dropped: 0, forged: 0 }

let watch: ForgeryWatch
let nowMs: number
let counts: Map<MemberId, ReceptionCounts>
beforeEach(() => {
  watch = new ForgeryWatch()
  nowMs = 0
  counts = new Map()
})

/** Whether a look at a member that has sent these frames since the last one reports it. */
function look(member: MemberId, passed: number, forged: number): boolean {
  const former = counts.get(member) ?? NOTHING
  const next = { ...former, passed: former.passed + passed, forged: former.forged + forged }
  counts.set(member, next)
  return watch.step(member, former, next, (nowMs += LOOK_MS))
}

describe("a member that mixes forged frames into good ones", () => {
  test("is reported when two looks in a row find them", () => {
    expect([look(EVE, 100, FORGED_FRAMES_MIN), look(EVE, 100, FORGED_FRAMES_MIN)]).toEqual([false, true])
  })

  test("is reported once in a while, however many it sends", () => {
    const looks = Array.from({ length: FORGERIES_APART_MS / LOOK_MS + 2 }, () => look(EVE, 100, 1000))
    expect(looks.filter((isReported) => isReported)).toHaveLength(2)
  })
})

describe("a member is not reported", () => {
  test("when it has left, and its frames are refused from one on", () => {
    expect([look(BOB, 50, 50), look(BOB, 0, 100), look(BOB, 0, 100)]).toEqual([false, false, false])
  })

  test("when few frames are refused, as in a change of the key", () => {
    const few = Array.from({ length: 10 }, () => look(BOB, 100, FORGED_FRAMES_MIN - 1))
    expect(few).not.toContain(true)
  })

  test("for the frames of another one", () => {
    look(EVE, 100, 100)
    expect(look(BOB, 100, 100)).toBe(false)
  })
})

test("frames are forged that no honest member sends under its key", () => {
  const dropped = { malformed: 1, forged: 2, "foreign-key": 4, replayed: 8, late: 16, "no-key": 32, "former-key": 64 }
  const track = { passed: 5, dropped } as unknown as TrackCounts
  expect(frameCounts([track, track])).toEqual({ passed: 10, dropped: 254, forged: 14 })
})
