/** Members in the call and their tracks, as the API shows them. */
import type { MediaParticipant, MediaTrackStatistics, Member } from "../../api/index.ts"
import type { MediaSource } from "../keys/media-view.ts"
import type { TrackCounts } from "../worker/track-counts.ts"
import type { Call } from "./call.ts"
import { NO_RECEPTION } from "./reception.ts"

/** `call`: null outside of the call. */
export function participantOf(call: Call | null, member: Member, sources: readonly MediaSource[]): MediaParticipant {
  const tracks = sources.flatMap((source) => {
    const track = call?.received(member.id, source)
    return track ? [[source, track] as const] : []
  })
  return {
    member,
    tracks: new Map(tracks),
    connection: call?.connectionOf(member.id) ?? "connecting",
    ...(call?.receptionOf(member.id) ?? NO_RECEPTION),
    speaking: sources.includes("microphone") && (call?.isSpeaking(member.id) ?? false),
  }
}

/** `members`: those of the view. Tracks of others are left out. */
export function statisticsOf(counts: readonly TrackCounts[], members: readonly Member[]): MediaTrackStatistics[] {
  return counts.flatMap(({ peer, direction, source, passed, dropped }) => {
    const member = members.find(({ id }) => id === peer.member)
    return member ? [{ member, direction, purpose: source, frames: passed, dropped }] : []
  })
}
