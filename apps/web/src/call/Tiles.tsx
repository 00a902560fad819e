import type { MediaParticipant } from "@keymoot/core"
import { MicOff } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { TrackAudio, TrackVideo } from "./TrackVideo.tsx"

/** Everybody in the call, this person first, and shared screens before all others. */
export function Tiles({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const own = useStore(session.call.own)
  const participants = useStore(session.call.participants)
  const self = useStore(session.view).members.find((member) => member.self) ?? session.handle.self
  return (
    // It scrolls, so it can have the focus.
    <div className="tiles" role="group" aria-label={t("call.tiles")} tabIndex={0}>
      {participants.map((participant) => {
        const screen = participant.tracks.get("screen")
        const name = t("call.screenOf", { name: participant.member.name })
        return screen && <Tile key={`${participant.member.id} screen`} name={name} track={screen} kind="screen" />
      })}
      <Tile
        name={t("call.you", { name: self.name })}
        track={own.get("camera") ?? null}
        silent={!own.has("microphone")}
        kind="own"
      />
      {participants.map((participant) => (
        <PersonTile key={participant.member.id} participant={participant} />
      ))}
    </div>
  )
}

function PersonTile({ participant }: { readonly participant: MediaParticipant }) {
  const { t } = useTranslation()
  const { member, tracks, connection, speaking } = participant
  const sounds = (["microphone", "screen-audio"] as const).flatMap((purpose) => {
    const track = tracks.get(purpose)
    return track ? [<TrackAudio key={purpose} track={track} />] : []
  })
  return (
    <Tile
      name={member.name}
      track={tracks.get("camera") ?? null}
      silent={!tracks.has("microphone")}
      speaking={speaking}
      note={connection === "connected" ? null : t("call.connecting")}
      kind="person"
    >
      {sounds}
    </Tile>
  )
}

type TileProps = {
  readonly name: string
  readonly track: MediaStreamTrack | null
  readonly kind: "own" | "person" | "screen"
  readonly silent?: boolean
  readonly speaking?: boolean
  readonly note?: string | null
  readonly children?: React.ReactNode
}

function Tile({ name, track, kind, silent = false, speaking = false, note = null, children }: TileProps) {
  const { t } = useTranslation()
  return (
    <figure className="tile" aria-label={name} data-kind={kind} data-speaking={speaking}>
      {track === null && (
        <span className="tile-letter" aria-hidden>
          {[...name][0]?.toUpperCase()}
        </span>
      )}
      <TrackVideo track={track} label={name} mirrored={kind === "own"} />
      <figcaption className="tile-name">
        {silent && <MicOff role="img" aria-label={t("call.microphoneOff")} />}
        <span dir="auto">{name}</span>
      </figcaption>
      {note !== null && <p className="tile-note">{note}</p>}
      {children}
    </figure>
  )
}
