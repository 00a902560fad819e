import type { TestInfo } from "@playwright/test"
import { type BrowserKind, FEWER_PROCESSES } from "../../browsers.ts"
import { arriveWithDevices, enterCall, hears, seeEachOther, seesPicture } from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { watchFrames } from "../../support/calls/frame-counts.ts"
import { delayKeys } from "../../support/calls/late-keys.ts"
import { MediaPaths } from "../../support/calls/media-paths.ts"
import type { People } from "../../support/people.ts"
import { type Change, type Rekeying, rekeyUnderCall } from "../../support/rekeying/rekeying.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"
import { cameraOfFile, HALF_SIZE, picturesOf, shrinkCamera } from "../../support/calls/small-camera.ts"
import type { VisitorCommand } from "../../support/rekeying/visitors.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

/** Few, since each takes seconds on a busy machine. */
const SHORT: readonly VisitorCommand["act"][] = ["come", "come", "go", "go"]
/** A third member comes and goes. */
const FIFTEEN = Array.from({ length: 15 }, (_, index): VisitorCommand["act"] => (index % 2 === 0 ? "come" : "go"))

/** Longest time that a frame of video waits for a key. It is dropped afterwards. */
const VIDEO_HOLD_MS = 1000
/** Time by which a gap of sound may exceed the agreement: that for which a frame of sound waits. */
const SOUND_GAP_MS = 120
/** Browsers renew the counters of sound that often. */
const GRID_MS = 50
const FREEZE_MS_MAX = 300

type Line = {
  readonly kinds: readonly [BrowserKind, BrowserKind]
  readonly lateMs: number
  readonly roundTripMs: number
}

/** With a small camera, since software encodes and decodes both pictures on two processors. */
async function arriveToTalk(people: People, name: string, kind: BrowserKind, info: TestInfo): Promise<Person> {
  const switches = [cameraOfFile(info.outputPath(`${name}.y4m`), HALF_SIZE), ...FEWER_PROCESSES]
  const preferences = picturesOf(HALF_SIZE)
  const person = await arriveWithDevices(people, name, kind, { switches, preferences })
  if (kind === "firefox") await shrinkCamera(person, HALF_SIZE)
  return person
}

type Call = {
  readonly people: People
  readonly origin: string
  readonly info: TestInfo
}

async function rekey({ people, origin, info }: Call, acts: readonly VisitorCommand["act"][], line: Line) {
  const { kinds, lateMs, roundTripMs } = line
  const paths = new MediaPaths(true, { delayMs: roundTripMs / 2 })
  try {
    const pair = [
      await arriveToTalk(people, "Ada", kinds[0], info),
      await arriveToTalk(people, "Bob", kinds[1], info),
    ] as const
    const [ada, bob] = pair
    for (const person of pair) {
      await watchFrames(person)
      if (roundTripMs > 0) await paths.lead(person.page)
    }
    await delayKeys(bob, lateMs)
    const url = await meet(origin, ada, bob)
    for (const person of pair) await enterCall(person, "Microphone", "Camera")
    await seeEachOther(ada, bob)
    expect(paths.packets > 0, "media has the delay").toBe(roundTripMs > 0)
    const rekeying = await rekeyUnderCall(pair, url, acts)
    report(line, rekeying)
    for (const person of pair) await hears(person)
    await seesPicture(ada, "Bob")
    await seesPicture(bob, "Ada")
    return rekeying
  } finally {
    paths.close()
  }
}

/** Median, and least to most. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other).map((value) => value.toFixed(0))
  return `${sorted[Math.floor(sorted.length / 2)]} ms (${sorted[0]} to ${sorted.at(-1)})`
}

function report({ kinds, lateMs, roundTripMs }: Line, { changes, seconds, calm, frames }: Rekeying): void {
  for (const each of changes)
    console.log(
      `${each.act}: lost ${each.videoLost} of video, ${each.audioLost} of audio; ` +
        `agreement ${each.agreementMs} ms, longest hold ${each.heldMs.toFixed(0)} ms, sound gap ${each.soundGapMs.toFixed(0)} ms, freeze ${each.freezeMs.toFixed(0)} ms; ` +
        `${each.inFlight} under the former key in flight, ${each.sentFormer} sent`,
    )
  for (const act of ["come", "go"] as const) {
    const of = (value: (change: Change) => number): string =>
      spread(changes.filter((each) => each.act === act).map(value))
    console.log(
      `${act}: agreement ${of((each) => each.agreementMs)}, sound gap ${of((each) => each.soundGapMs)}, freeze ${of((each) => each.freezeMs)}`,
    )
  }
  console.log(
    `${kinds.join(" and ")}, keys ${lateMs} ms late, round trip ${roundTripMs} ms: ${changes.length} changes in ` +
      `${seconds.toFixed(1)} s, ${frames} frames; calm: sound gap ${calm.soundGapMs.toFixed(0)} ms, freeze ${calm.freezeMs.toFixed(0)} ms`,
  )
}

function expectNothingLost(changes: readonly Change[]): void {
  for (const { act, videoLost, audioLost, sentFormer, refusedFormer } of changes) {
    expect(videoLost, `frames of video lost by a ${act}`).toBe(0)
    if (act === "come") expect(audioLost, "frames of audio lost by a come").toBe(0)
    // Nobody uses a key that an absent member knows any more. A frame under one would be refused.
    expect(sentFormer, "frames sent under a key that an absent member knows").toBe(0)
    expect(refusedFormer, "frames refused under such a key").toBe(0)
  }
}

/** The agreement is that of the engine. The second one's media worker has its end `lateMs` later. */
function expectShortGaps(changes: readonly Change[], { lateMs, roundTripMs }: Line): void {
  for (const { act, soundGapMs, agreementMs, freezeMs } of changes) {
    expect(soundGapMs, "ms between two counts of sound").toBeGreaterThan(0)
    const beyond = soundGapMs - agreementMs - lateMs
    if (act === "go") expect(beyond, "ms of silence beyond the agreement").toBeLessThan(SOUND_GAP_MS + GRID_MS)
    // A picture stands longer if a key is late as well.
    if (lateMs === 0 && roundTripMs > 0) expect(freezeMs, "ms of a freeze").toBeLessThanOrEqual(FREEZE_MS_MAX)
  }
}

test("a call continues without loss while members come and go", { tag: "@alone" }, async ({ server, people }, info) => {
  const line: Line = { kinds: ["chromium", "chromium"], lateMs: 0, roundTripMs: 0 }
  const { changes } = await rekey({ people, origin: server.origin, info }, SHORT, line)
  // Frames that wait for a second are dropped. On a busy machine the agreement can take as long.
  expectNothingLost(changes.filter(({ act, heldMs }) => act === "come" || heldMs < VIDEO_HOLD_MS))
})

const PAIRS = [
  ["chromium", "chromium"],
  ["chromium", "firefox"],
  ["firefox", "chromium"],
  ["firefox", "firefox"],
] as const
/** Time by which each key comes late to the second one's media worker. */
const LATE_MS = [0, 100, 300] as const
for (const kinds of PAIRS) {
  for (const lateMs of LATE_MS) {
    const title = `${kinds.join(" and ")} talk on while fifteen come and go, keys ${lateMs} ms late @deep`
    test(title, async ({ server, people }, info) => {
      const line: Line = { kinds, lateMs, roundTripMs: lateMs === 0 ? 100 : 0 }
      const { changes } = await rekey({ people, origin: server.origin, info }, FIFTEEN, line)
      expectNothingLost(changes)
      expectShortGaps(changes, line)
    })
  }
}
