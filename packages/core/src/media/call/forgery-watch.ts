/** Notices members that send frames that no honest member sends: forged ones, and ones that nobody can use. */
import type { MemberId } from "@keymoot/transport"
import { isSameMember, MEDIA_SOURCES, type MediaSource } from "../keys/media-view.ts"
import type { TrackCounts } from "../worker/track-counts.ts"
import type { CallPeer } from "./call-peer.ts"
import { frameCounts } from "../connection/reception.ts"

/**
 * Such frames between two looks from which a member is suspected. Fewer may be those of a change of the key. Firefox sends
 * a picture a second for a while after its track was taken away.
 */
export const FORGED_FRAMES_MIN = 10
/**
 * Looks in a row, in one view, that must find stray frames. No key comes for them beside good ones, or the member has not
 * announced their source. A key is late by seconds if a proof is. A member without a link can announce nothing, so only
 * its keys count. It announces its tracks once it has a link.
 */
export const STRAY_LOOKS = 15
/** Time between two reports of one member. */
export const FORGERIES_APART_MS = 60_000

type WatchedPeer = Pick<CallPeer, "member" | "incarnation" | "sources" | "isLinked">
type Counts = ReturnType<typeof frameCounts>
type Watched = {
  counts: Counts
  /** When the last look with frames found forged ones; -Infinity if it found none. */
  suspectedAtMs: number
  /** Looks in a row that have found stray frames. */
  strayLooks: number
}

const NO_FRAMES = frameCounts([])

export class ForgeryWatch {
  /**
   * By member and incarnation, for those with counts. Kept when a member connects or enters the call again, which it can
   * do before each look.
   */
  #watched = new Map<string, Watched>()
  readonly #reportedAtMs = new Map<MemberId, number>()

  /** The members agree on a view. Frames may be without a key for a while. */
  onView(): void {
    for (const watched of this.#watched.values()) watched.strayLooks = 0
  }

  /** Takes the counts of all tracks, and the peers in the call. Returns the members to report. */
  look(
    tracks: readonly TrackCounts[],
    peers: ReadonlyMap<MemberId, { readonly peer: WatchedPeer }>,
    nowMs: number,
  ): { readonly member: MemberId; readonly detail: string }[] {
    for (const [member, atMs] of this.#reportedAtMs)
      if (nowMs - atMs >= FORGERIES_APART_MS) this.#reportedAtMs.delete(member)
    const former = this.#watched
    this.#watched = new Map()
    return received(tracks).flatMap(({ peer, counts }) => {
      const name = `${peer.member} ${peer.incarnation}`
      const watched = former.get(name) ?? { counts: NO_FRAMES, suspectedAtMs: -Infinity, strayLooks: 0 }
      this.#watched.set(name, watched)
      const present = peers.get(peer.member)?.peer
      const announced = present?.isLinked && isSameMember(present, peer) ? present.sources : MEDIA_SOURCES
      const detail = judge(watched, counts, announced, nowMs)
      if (detail === null || this.#reportedAtMs.has(peer.member)) return []
      this.#reportedAtMs.set(peer.member, nowMs)
      return [{ member: peer.member, detail }]
    })
  }
}

/** Sums of the received frames of each member in one incarnation. */
function received(tracks: readonly TrackCounts[]): { peer: TrackCounts["peer"]; counts: Counts }[] {
  const all = tracks.filter(({ direction }) => direction === "receive")
  return all.flatMap(({ peer }, index) => {
    if (all.findIndex((each) => isSameMember(each.peer, peer)) < index) return []
    return [{ peer, counts: frameCounts(all.filter((each) => isSameMember(each.peer, peer))) }]
  })
}

/** Compares two looks at one member. Returns what it is to be reported for; null for nothing. */
function judge(watched: Watched, counts: Counts, announced: readonly MediaSource[], nowMs: number): string | null {
  const former = watched.counts
  watched.counts = counts
  const passed = counts.passed - former.passed
  if (passed + counts.dropped - former.dropped <= 0) return null
  // One look is not enough: a member that has left is refused from one frame to the next, while its connection stays.
  const isMixed = passed > 0 && counts.forged - former.forged >= FORGED_FRAMES_MIN
  const wasMixed = nowMs - watched.suspectedAtMs < FORGERIES_APART_MS
  watched.suspectedAtMs = isMixed ? nowMs : -Infinity
  const unannounced = MEDIA_SOURCES.filter((source) => !announced.includes(source))
  const grown = unannounced.map((source) => counts.passedOf[source] - former.passedOf[source])
  const keyless = passed > 0 ? counts.keyless - former.keyless : 0
  const isStray = grown.reduce((sum, frames) => sum + frames, keyless) >= FORGED_FRAMES_MIN
  watched.strayLooks = isStray ? watched.strayLooks + 1 : 0
  if (isMixed && wasMixed) return "it sends forged frames"
  return watched.strayLooks >= STRAY_LOOKS ? "it keeps sending frames that nobody can use" : null
}
