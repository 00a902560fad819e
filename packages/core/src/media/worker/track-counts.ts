/** Counts of the frames that a member has sent to another one from one source, over all their connections. */
import type { FrameRefusal, Track } from "./frame-cipher.ts"

export type TrackCounts = Track & {
  readonly passed: number
  /** See `FramePipe`. */
  readonly formerPassed: number
  readonly keyless: number
  readonly heldMs: number
  readonly dropped: Readonly<Partial<Record<FrameRefusal, number>>>
}

/** Returns one sum for each direction, source and peer in one incarnation. */
export function sumCounts(all: readonly TrackCounts[]): TrackCounts[] {
  const sums = new Map<string, TrackCounts>()
  for (const counts of all) {
    const { direction, source, peer } = counts
    const name = `${direction} ${source} ${peer.member} ${peer.incarnation}`
    const sum = sums.get(name)
    sums.set(name, sum ? sumOf(sum, counts) : counts)
  }
  return [...sums.values()]
}

function sumOf(one: TrackCounts, other: TrackCounts): TrackCounts {
  const dropped = { ...one.dropped }
  for (const [reason, count] of Object.entries(other.dropped) as [FrameRefusal, number][])
    dropped[reason] = (dropped[reason] ?? 0) + count
  return {
    ...one,
    passed: one.passed + other.passed,
    formerPassed: one.formerPassed + other.formerPassed,
    keyless: one.keyless + other.keyless,
    heldMs: Math.max(one.heldMs, other.heldMs),
    dropped,
  }
}
