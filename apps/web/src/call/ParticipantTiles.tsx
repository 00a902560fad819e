import type { MediaParticipant } from "@keymoot/core"
import type { TFunction } from "i18next"
import { useTranslation } from "react-i18next"
import type { SessionCall } from "../session/call.ts"
import { useStore } from "../store.ts"
import { heardOf } from "./model/heard.ts"
import { Tile } from "./Tile.tsx"

type ParticipantTileProps = {
  readonly call: SessionCall
  readonly participant: MediaParticipant
  /** On the stage. */
  readonly large?: boolean
}

export function PersonTile({ call, participant, large = false }: ParticipantTileProps) {
  const { t } = useTranslation()
  const { member, published, tracks, speaking, quality } = participant
  const tile = { member: member.id, purpose: "camera" } as const
  const isShown = useStore(call.cameras).has(member.id)
  return (
    <Tile
      name={member.name}
      track={(isShown && tracks.get("camera")) || null}
      silent={!published.has("microphone")}
      speaking={speaking}
      quality={quality}
      note={noteOf(participant, t)}
      large={large}
      onResize={() => call.toggleStage(tile)}
      onVisible={(visible) => call.setVisible(tile, visible)}
      kind="person"
    />
  )
}

export function ScreenTile({ call, participant, large = false }: ParticipantTileProps) {
  const { t } = useTranslation()
  const { member, tracks } = participant
  const tile = { member: member.id, purpose: "screen" } as const
  return (
    <Tile
      name={t("call.screenOf", { name: member.name })}
      track={tracks.get("screen") ?? null}
      sounding={heardOf(participant).includes("screen-audio")}
      note={noteOf(participant, t)}
      large={large}
      onResize={() => call.toggleStage(tile)}
      onVisible={(visible) => call.setVisible(tile, visible)}
      kind="screen"
    />
  )
}

/** Why nothing of this person can be seen and heard; null if it can. */
function noteOf({ member: { name }, connection, undecryptable }: MediaParticipant, t: TFunction): string | null {
  if (connection === "no-path") return t("call.noPath", { name })
  if (connection === "connecting") return t("call.connecting")
  return undecryptable ? t("call.undecryptable", { name }) : null
}
