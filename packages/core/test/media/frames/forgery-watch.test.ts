import type { MemberId } from "@keymoot/transport"
import { beforeEach, describe, expect, test } from "vitest"
import {
  FORGED_FRAMES_MIN,
  FORGERIES_APART_MS,
  ForgeryWatch,
  STRAY_LOOKS,
} from "../../../src/media/call/forgery-watch.ts"
import { frameCounts } from "../../../src/media/connection/reception.ts"
import type { TrackCounts } from "../../../src/media/worker/track-counts.ts"

const [EVE, BOB] = ["e", "b"].map((digit) => digit.repeat(32)) as [MemberId, MemberId]
const LOOK_MS = 2000
const NO_FRAMES = { passed: 0, formerPassed: 0, keyless: 0, heldMs: 0, dropped: { forged: 0, late: 0 } }

let watch: ForgeryWatch
let nowMs: number
let isLinked: boolean
let tracks: Map<string, TrackCounts>
beforeEach(() => {
  watch = new ForgeryWatch()
  nowMs = 0
  isLinked = true
  tracks = new Map()
})

type Frames = {
  readonly passed?: number
  readonly forged?: number
  readonly keyless?: number
  readonly screen?: number
}

function arrive(member: MemberId, source: "camera" | "screen", { passed = 0, forged = 0, keyless = 0 }: Frames): void {
  const name = `${member} ${source}`
  const peer = { member, incarnation: 1 }
  const former = tracks.get(name) ?? { ...NO_FRAMES, direction: "receive", source, peer }
  tracks.set(name, {
    ...former,
    passed: former.passed + passed,
    keyless: former.keyless + keyless,
    dropped: { forged: former.dropped.forged! + forged, late: former.dropped.late! + keyless },
  })
}

/** Whether a look reports a member that has announced a camera, and has sent these frames since the last one. */
function lookAt(member: MemberId, { screen = 0, ...frames }: Frames): boolean {
  arrive(member, "camera", frames)
  arrive(member, "screen", { passed: screen })
  const peers = [EVE, BOB].map((id) => {
    return [id, { peer: { member: id, incarnation: 1, sources: ["camera"], isLinked } }] as const
  })
  const reports = watch.look([...tracks.values()], new Map(peers), (nowMs += LOOK_MS))
  return reports.some((report) => report.member === member)
}
const look = (member: MemberId, passed: number, forged: number): boolean => lookAt(member, { passed, forged })
/** How many of so many looks in a row report such frames. */
const reportsIn = (looks: number, frames: Frames): number =>
  Array.from({ length: looks }, () => lookAt(EVE, frames)).filter((isReported) => isReported).length

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

describe.each([
  ["under a key that nobody has", { passed: 100, keyless: FORGED_FRAMES_MIN }],
  ["of a source that it has not announced", { passed: 100, screen: FORGED_FRAMES_MIN }],
])("a member that keeps sending frames %s", (_, frames) => {
  test("is reported after half a minute, and then once in a while", () => {
    expect(reportsIn(STRAY_LOOKS - 1, frames)).toBe(0)
    expect(lookAt(EVE, frames)).toBe(true)
    expect(reportsIn(FORGERIES_APART_MS / LOOK_MS + 1, frames)).toBe(1)
  })

  test("is not reported when they stop meanwhile, as when a key or a link is late", () => {
    expect(reportsIn(STRAY_LOOKS - 1, frames)).toBe(0)
    lookAt(EVE, { passed: 100 })
    expect(reportsIn(STRAY_LOOKS - 1, frames)).toBe(0)
  })

  test("is not reported when each change of the view brings some", () => {
    for (let view = 0; view < 2 * STRAY_LOOKS; view++) {
      watch.onView()
      expect(lookAt(EVE, frames)).toBe(false)
    }
  })

  test("is not reported for few of them", () => {
    const few = Object.fromEntries(
      Object.entries(frames).map(([kind, n]) => [kind, n === FORGED_FRAMES_MIN ? n - 1 : n]),
    )
    expect(reportsIn(2 * STRAY_LOOKS, few)).toBe(0)
  })
})

test("a member is not reported for a track that it cannot announce when it has no link", () => {
  isLinked = false
  expect(reportsIn(2 * STRAY_LOOKS, { passed: 100, screen: 100 })).toBe(0)
  isLinked = true
  expect(reportsIn(STRAY_LOOKS, { passed: 100, screen: 100 })).toBe(1)
})

test("a member without a link is reported when it sends frames without a key", () => {
  isLinked = false
  expect(reportsIn(STRAY_LOOKS, { passed: 100, keyless: 100 })).toBe(1)
})

test("a member is reported when it is silent between two looks that find forged frames", () => {
  expect([look(EVE, 100, 100), look(EVE, 0, 0), look(EVE, 100, 100)]).toEqual([false, false, true])
})

test("a member is not reported when none of its frames has a key, as after a partition", () => {
  expect(reportsIn(2 * STRAY_LOOKS, { keyless: 100 })).toBe(0)
})

test("frames are forged that no honest member sends under its key", () => {
  const forged = { malformed: 1, forged: 2, "foreign-key": 4, "too-large": 128 }
  const dropped = { ...forged, replayed: 8, late: 16, "no-key": 32, "former-key": 64 }
  const track = { source: "camera", passed: 5, keyless: 3, dropped } as unknown as TrackCounts
  const counted = frameCounts([track, track])
  expect(counted).toMatchObject({ passed: 10, dropped: 510, forged: 270, keyless: 6 })
  expect(counted.passedOf).toEqual({ microphone: 0, camera: 10, screen: 0, "screen-audio": 0 })
})
