import type { MediaParticipant } from "@keymoot/core"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { isSameStaged, type Staged } from "./model/stage.ts"
import { PersonTile, ScreenTile } from "./ParticipantTiles.tsx"
import { Sounds } from "./Sounds.tsx"
import { Tile } from "./Tile.tsx"

/** Everybody in the call, this person first. The enlarged one is on the stage instead. */
export function Tiles({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { call } = session
  const own = useStore(call.own)
  const silenced = useStore(call.silenced)
  const participants = useStore(call.participants)
  const staged = useStore(call.stage)
  const self = useStore(session.view).members.find((member) => member.self) ?? session.handle.self
  const isHere = (participant: MediaParticipant, purpose: Staged["purpose"]): boolean =>
    !isSameStaged(staged, { member: participant.member.id, purpose })
  return (
    <>
      {/* It scrolls, so it can have the focus. */}
      <div className="tiles" role="group" aria-label={t("call.tiles")} tabIndex={0}>
        {participants
          .filter((each) => each.published.has("screen") && isHere(each, "screen"))
          .map((each) => (
            <ScreenTile key={`${each.member.id} screen`} call={call} participant={each} />
          ))}
        <Tile
          name={t("call.you", { name: self.name })}
          track={own.get("camera") ?? null}
          silent={!own.has("microphone") || silenced.has("microphone")}
          note={own.has("screen") ? t("call.sharing") : null}
          kind="own"
        />
        {participants
          .filter((each) => isHere(each, "camera"))
          .map((each) => (
            <PersonTile key={each.member.id} call={call} participant={each} />
          ))}
      </div>
      <Sounds call={call} />
    </>
  )
}
