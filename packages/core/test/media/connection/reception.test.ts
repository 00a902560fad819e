import type { MemberId } from "@keymoot/transport"
import { describe, expect, test } from "vitest"
import {
  frameCounts,
  networkCounts,
  receptionBetween,
  type ReceptionCounts,
} from "../../../src/media/connection/reception.ts"
import type { MediaSource } from "../../../src/media/keys/media-view.ts"
import type { TrackCounts } from "../../../src/media/worker/track-counts.ts"

const NOTHING: ReceptionCounts = { packets: 0, lost: 0, roundTripMs: null, ...frameCounts([]) }
const judge = (counts: Partial<ReceptionCounts>, former: ReceptionCounts = NOTHING) =>
  receptionBetween(former, { ...NOTHING, ...counts })

describe("the quality of a peer's connection", () => {
  test("is unknown before anything is measured", () => {
    expect(judge({}).quality).toBe("unknown")
  })

  test.each([
    [{ packets: 100, lost: 0, roundTripMs: 40 }, "good"],
    [{ packets: 95, lost: 5, roundTripMs: 40 }, "fair"],
    [{ packets: 80, lost: 20, roundTripMs: 40 }, "poor"],
    [{ packets: 100, roundTripMs: 400 }, "fair"],
    [{ packets: 100, roundTripMs: 900 }, "poor"],
    [{ packets: 0, lost: 30 }, "poor"],
  ] as const)("is rated: %o is %s", (counts, quality) => {
    expect(judge(counts).quality).toBe(quality)
  })

  test("follows the last interval only", () => {
    const former = { ...NOTHING, packets: 100, lost: 100, roundTripMs: 40 }
    expect(judge({ packets: 200, lost: 100, roundTripMs: 40 }, former).quality).toBe("good")
    // A packet that arrives late lowers the number of lost ones.
    expect(judge({ packets: 200, lost: 90, roundTripMs: 40 }, former).quality).toBe("good")
  })

  test("reads packets of all tracks and the round-trip time of the used path", () => {
    const statistics = [
      { type: "inbound-rtp", packetsReceived: 10, packetsLost: 1 },
      { type: "inbound-rtp", packetsReceived: 20, packetsLost: 2 },
      { type: "outbound-rtp", packetsSent: 99, packetsLost: 99 },
      { type: "candidate-pair", nominated: false, state: "succeeded", currentRoundTripTime: 9 },
      { type: "candidate-pair", nominated: true, state: "succeeded", currentRoundTripTime: 0.04 },
    ]
    expect(networkCounts(statistics)).toEqual({ packets: 30, lost: 3, roundTripMs: 40 })
  })
})

test("a peer is undecryptable when frames of a source arrive and none is decrypted", () => {
  const peer = { member: "ada" as MemberId, incarnation: 1 }
  const track = (source: MediaSource, passed: number, dropped: TrackCounts["dropped"]): TrackCounts => {
    return { direction: "receive", source, peer, passed, dropped, formerPassed: 0, keyless: 0, heldMs: 0 }
  }
  const isUndecryptable = (...tracks: TrackCounts[]): boolean => judge(frameCounts(tracks)).undecryptable
  expect(isUndecryptable(track("camera", 0, { forged: 50 }))).toBe(true)
  expect(isUndecryptable(track("camera", 1, { forged: 49 }))).toBe(false)
  expect(isUndecryptable(track("camera", 0, { forged: 3 }))).toBe(false)
  // Sound that is decrypted does not hide a picture that is not.
  expect(isUndecryptable(track("microphone", 100, {}), track("camera", 0, { late: 50 }))).toBe(true)
  // Browsers repeat frames of a camera that is off.
  expect(isUndecryptable(track("camera", 0, { replayed: 50 }))).toBe(false)
  const former = { ...NOTHING, ...frameCounts([track("camera", 50, {})]) }
  expect(judge(frameCounts([track("camera", 50, { forged: 50 })]), former).undecryptable).toBe(true)
})
