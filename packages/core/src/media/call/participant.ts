/** A member in the call as the API shows it. */
import type { MediaParticipant, Member } from "../../api/index.ts"
import type { MediaSource } from "../keys/media-view.ts"
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
