/** Members in the call and their tracks, as the API shows them. */
import type { MemberId } from "@keymoot/transport"
import type { MediaEvents, MediaParticipant, MediaTrackStatistics, Member } from "../../api/index.ts"
import type { MediaSource } from "../keys/media-view.ts"
import type { TrackCounts } from "../worker/track-counts.ts"
import type { Call } from "./call.ts"
import { NO_RECEPTION } from "../connection/reception.ts"

/** `call`: null outside of the call. */
export function participantOf(call: Call | null, member: Member, sources: readonly MediaSource[]): MediaParticipant {
  const tracks = sources.flatMap((source) => {
    const track = call?.received(member.id, source)
    return track ? [[source, track] as const] : []
  })
  return {
    member,
    published: new Set(sources),
    tracks: new Map(tracks),
    connection: call?.connectionOf(member.id) ?? "connecting",
    receives: call?.reaches(member.id) ?? false,
    ...(call?.receptionOf(member.id) ?? NO_RECEPTION),
    speaking: sources.includes("microphone") && (call?.isSpeaking(member.id) ?? false),
  }
}

/** Finds who has started or stopped speaking since the last look. A member that leaves the call stops. */
export class SpeakingWatch {
  #speaking: readonly Member[] = []
  readonly #told = new Map<MemberId, Member>()

  #next(): Parameters<MediaEvents["speaking"]> | null {
    const begun = this.#speaking.find(({ id }) => !this.#told.has(id))
    if (begun) {
      this.#told.set(begun.id, begun)
      return [begun, true]
    }
    const ended = [...this.#told.values()].find(({ id }) => !this.#speaking.some((member) => member.id === id))
    if (!ended) return null
    this.#told.delete(ended.id)
    return [ended, false]
  }

  /** One change at a time, since a listener of the first may cause another look. */
  *step(participants: readonly MediaParticipant[]): Generator<Parameters<MediaEvents["speaking"]>> {
    this.#speaking = participants.filter(({ speaking }) => speaking).map(({ member }) => member)
    for (let next = this.#next(); next; next = this.#next()) yield next
  }
}

/** `members`: those of the view. Tracks of others are left out. */
export function statisticsOf(counts: readonly TrackCounts[], members: readonly Member[]): MediaTrackStatistics[] {
  return counts.flatMap(({ peer, direction, source, passed, dropped }) => {
    const member = members.find(({ id }) => id === peer.member)
    return member ? [{ member, direction, purpose: source, frames: passed, dropped }] : []
  })
}
