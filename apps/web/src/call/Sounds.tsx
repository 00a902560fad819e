import type { SessionCall } from "../session/call.ts"
import { useStore } from "../store.ts"
import { TrackAudio } from "./TrackVideo.tsx"

/** Plays everybody, whatever tiles are shown. */
export function Sounds({ call }: { readonly call: SessionCall }) {
  const participants = useStore(call.participants)
  useStore(call.devices.changed)
  const speaker = call.devices.chosen("speaker")
  return participants.flatMap(({ member, tracks }) =>
    (["microphone", "screen-audio"] as const).flatMap((purpose) => {
      const track = tracks.get(purpose)
      return track ? [<TrackAudio key={`${member.id} ${purpose}`} track={track} speaker={speaker} />] : []
    }),
  )
}
