import { CANDIDATES_MAX, SDP_CHARACTERS_MAX } from "../../bounds/network-bounds.ts"

export type SdpFingerprint =
  | { readonly ok: true; readonly fingerprint: string }
  | { readonly ok: false; readonly reason: "too-long" | "no-fingerprint" | "two-fingerprints" | "not-sha-256" }

const FINGERPRINT_LINE = /^a=fingerprint:sha-256 ((?:[0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2})$/

/**
 * The one certificate fingerprint of a session description: lower-case hex, no colons.
 *
 * Strict, because a browser's parser may be laxer. Every line that mentions a fingerprint must have exactly the form of
 * RFC 8122 with SHA-256, and all of them one value. Otherwise a second certificate could be hidden in the description.
 */
export function sdpFingerprint(sdp: string): SdpFingerprint {
  if (sdp.length > SDP_CHARACTERS_MAX) return { ok: false, reason: "too-long" }
  let found: string | null = null
  for (const line of sdp.split(/\r\n|\n|\r/)) {
    if (!/fingerprint/i.test(line)) continue
    const value = FINGERPRINT_LINE.exec(line)?.[1]?.replaceAll(":", "").toLowerCase()
    if (value === undefined) return { ok: false, reason: "not-sha-256" }
    if (found !== null && found !== value) return { ok: false, reason: "two-fingerprints" }
    found = value
  }
  return found === null ? { ok: false, reason: "no-fingerprint" } : { ok: true, fingerprint: found }
}

/**
 * Whether a peer's description names more candidates than may come by themselves. A browser sends checks to each, so
 * they could be addresses of others.
 */
export function hasTooManyCandidates(sdp: string): boolean {
  return (sdp.match(/^a=candidate\b/gimu)?.length ?? 0) > CANDIDATES_MAX
}

/** Lines that may differ between the description of an ICE restart and the former one of the same end. */
const ICE_LINE = /^(?:a=(?:ice-ufrag|ice-pwd|candidate|end-of-candidates|rtcp):?|[oc]=)/
const MEDIA_PORT = /^(m=\S+) \d+/

/** Whether a description changes only how to reach its end. Nothing else is ever renegotiated. */
export function isIceRestart(former: string, next: string): boolean {
  return isSameBesideIce(former, next) && ufragOf(former) !== ufragOf(next)
}

/** Whether a description is the former one. It may have candidates that were found since. */
export function isRepetition(former: string, next: string): boolean {
  return isSameBesideIce(former, next) && ufragOf(former) === ufragOf(next)
}

function isSameBesideIce(former: string, next: string): boolean {
  return next.length <= SDP_CHARACTERS_MAX && withoutIce(former) === withoutIce(next)
}

function ufragOf(sdp: string): string | undefined {
  return /^a=ice-ufrag:(.*)$/m.exec(sdp)?.[1]
}

function withoutIce(sdp: string): string {
  const lines = sdp.split(/\r\n|\n|\r/).filter((line) => !ICE_LINE.test(line))
  return lines.map((line) => line.replace(MEDIA_PORT, "$1")).join("\n")
}
