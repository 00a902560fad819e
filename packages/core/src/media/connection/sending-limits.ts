/** Upper limits of the video that is sent to one member. A mesh sends each track once for each peer. */
import type { MediaSource } from "../keys/media-view.ts"
import type { LoadLevel } from "./load-watch.ts"

/** Up to this number of other members, a camera is sent to each of them. Above, to those that ask for it. */
const ALL_CAMERAS_PEERS_MAX = 7

export type CallSize = "small" | "medium" | "large"

export type SendingLimits = Pick<
  RTCRtpEncodingParameters,
  "active" | "maxBitrate" | "maxFramerate" | "scaleResolutionDownBy"
>

/** By load: frames a second at most, and lines at most. Half the frames cost half the time, at the same sharpness. */
const REDUCED = [
  { frames: 30, lines: 360 },
  { frames: 12, lines: 360 },
  { frames: 10, lines: 180 },
  { frames: 5, lines: 90 },
] as const

export function callSize(peers: number): CallSize {
  return peers <= 3 ? "small" : peers <= ALL_CAMERAS_PEERS_MAX ? "medium" : "large"
}

/**
 * Milliseconds of sound in a packet. Half the packets cost about half of what their encryption and sending takes. For
 * that, speech is 20 ms later.
 */
export function packetMs(peers: number): number {
  return peers < 3 ? 20 : 40
}

/** Whether calls with so many other members have the same limits. */
export function hasSameLimits(peers: number, others: number): boolean {
  return callSize(peers) === callSize(others) && packetMs(peers) === packetMs(others)
}

export type Sending = {
  readonly source: MediaSource
  readonly size: CallSize
  readonly load: LoadLevel
  /** Lines of the track. */
  readonly height: number
  /** The member shows these; null until it has said so. */
  readonly wanted: { readonly sources: readonly MediaSource[]; readonly large: readonly MediaSource[] } | null
}

export function sendingLimits({ source, size, load, height, wanted }: Sending): SendingLimits {
  const active = wanted?.sources.includes(source) ?? (source === "screen" || size !== "large")
  const { frames, lines } = REDUCED[load]
  // Text on a screen cannot be read with fewer lines.
  if (source === "screen") return { active, maxBitrate: 1_500_000, maxFramerate: Math.min(15, frames) }
  const isLarge = size === "small" || (wanted?.large.includes(source) ?? false)
  const limited = Math.min(lines, isLarge ? 360 : 180)
  return {
    active,
    maxBitrate: limited === 360 ? 700_000 : 200_000,
    maxFramerate: Math.min(frames, isLarge ? 30 : 15),
    scaleResolutionDownBy: Math.max(1, height / limited),
  }
}
