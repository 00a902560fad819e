import type { SessionCall } from "../session/call.ts"
import { useStore } from "../store.ts"
import { heardOf } from "./model/heard.ts"
import { TrackAudio } from "./TrackVideo.tsx"

/** Plays everybody, whatever tiles are shown. */
export function Sounds({ call }: { readonly call: SessionCall }) {
  const participants = useStore(call.participants)
  useStore(call.devices.changed)
  const speaker = call.devices.chosen("speaker")
  return participants.flatMap((participant) =>
    heardOf(participant).flatMap((purpose) => {
      const { member, tracks } = participant
      const track = tracks.get(purpose)
      return track ? [<TrackAudio key={`${member.id} ${purpose}`} track={track} speaker={speaker} />] : []
    }),
  )
}
