/** Judges how well a peer is received, from two successive looks at the same counters. */
import type { MediaQuality } from "../../api/index.ts"
import { MEDIA_SOURCES, type MediaSource } from "../keys/media-view.ts"
import type { FrameRefusal } from "../worker/frame-cipher.ts"
import type { TrackCounts } from "../worker/track-counts.ts"

/** Counters of packets since the connection began, and of frames since this member entered the call. */
export type ReceptionCounts = {
  readonly packets: number
  readonly lost: number
  /** Null before the browser has measured it. */
  readonly roundTripMs: number | null
  /** Frames that the media worker has decrypted, and those that it has dropped. */
  readonly passed: number
  readonly dropped: number
  /** Dropped frames among them that no honest member sends under its key. */
  readonly forged: number
  /** Dropped frames among them for which no key came. */
  readonly keyless: number
  /** Decrypted frames by source. */
  readonly passedOf: Readonly<Record<MediaSource, number>>
  /** Dropped frames by source, except replayed ones. Browsers repeat frames of a camera that is off. */
  readonly refusedOf: Readonly<Record<MediaSource, number>>
}

export type Reception = { readonly quality: MediaQuality; readonly undecryptable: boolean }

export const NO_RECEPTION: Reception = { quality: "unknown", undecryptable: false }

const FAIR = { lossShare: 0.03, roundTripMs: 300 }
const POOR = { lossShare: 0.1, roundTripMs: 700 }
/**
 * A replayed frame is none of them, since browsers repeat frames to fill the bandwidth. Nor is one without a key, since
 * the key may be late.
 */
const FORGERIES: readonly FrameRefusal[] = ["malformed", "too-large", "forged", "foreign-key"]
/** Fewer frames may be those of a change of the key. */
const UNDECRYPTABLE_FRAMES_MIN = 10

export function receptionBetween(former: ReceptionCounts, counts: ReceptionCounts): Reception {
  const [packets, lost] = [counts.packets - former.packets, Math.max(0, counts.lost - former.lost)]
  const { roundTripMs } = counts
  const lossShare = packets + lost === 0 ? 0 : lost / (packets + lost)
  const exceeds = (limit: typeof FAIR): boolean =>
    lossShare > limit.lossShare || (roundTripMs !== null && roundTripMs > limit.roundTripMs)
  const known = exceeds(POOR) ? "poor" : exceeds(FAIR) ? "fair" : "good"
  return {
    quality: packets + lost === 0 && roundTripMs === null ? "unknown" : known,
    undecryptable: MEDIA_SOURCES.some((source) => {
      const [passed, refused] = [counts.passedOf[source], counts.refusedOf[source]]
      return passed === former.passedOf[source] && refused - former.refusedOf[source] >= UNDECRYPTABLE_FRAMES_MIN
    }),
  }
}

type FrameSums = Pick<ReceptionCounts, "passed" | "dropped" | "forged" | "keyless" | "passedOf" | "refusedOf">

/** Sums of a peer connection's statistics. */
export function networkCounts(statistics: Iterable<object>): Omit<ReceptionCounts, keyof FrameSums> {
  let [packets, lost] = [0, 0]
  let roundTripMs: number | null = null
  for (const each of statistics as Iterable<Readonly<Record<string, unknown>>>) {
    const number = (name: string): number => (typeof each[name] === "number" ? each[name] : 0)
    if (each["type"] === "inbound-rtp") {
      packets += number("packetsReceived")
      lost += number("packetsLost")
    }
    const isUsed = each["type"] === "candidate-pair" && each["nominated"] === true && each["state"] === "succeeded"
    if (isUsed && typeof each["currentRoundTripTime"] === "number") roundTripMs = 1000 * each["currentRoundTripTime"]
  }
  return { packets, lost, roundTripMs }
}

/** Time since the last packet of the peer's media, by the browser's clock; Infinity if none came. */
export function packetAgeMs(report: ReadonlyMap<string, object>): number {
  let ageMs = Infinity
  for (const each of report.values() as Iterable<Readonly<Record<string, unknown>>>) {
    const { type, timestamp, lastPacketReceivedTimestamp: last } = each
    if (type === "inbound-rtp" && typeof last === "number") ageMs = Math.min(ageMs, Number(timestamp) - last)
  }
  return ageMs
}

/** Frames of all tracks that come from one peer. */
export function frameCounts(received: readonly TrackCounts[]): FrameSums {
  let [passed, dropped, forged, keyless] = [0, 0, 0, 0]
  const passedOf = { microphone: 0, camera: 0, screen: 0, "screen-audio": 0 }
  const refusedOf = { ...passedOf }
  for (const track of received) {
    passed += track.passed
    passedOf[track.source] += track.passed
    keyless += track.keyless
    const droppedHere = Object.values(track.dropped).reduce((sum, count) => sum + count, 0)
    dropped += droppedHere
    refusedOf[track.source] += droppedHere - (track.dropped.replayed ?? 0)
    for (const reason of FORGERIES) forged += track.dropped[reason] ?? 0
  }
  return { passed, dropped, forged, keyless, passedOf, refusedOf }
}
