import "../styles/call.css"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { PersonTile, ScreenTile } from "./ParticipantTiles.tsx"

/** One track, large, beside the board. */
export default function CallStage({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { call } = session
  const staged = useStore(call.stage)
  const participant = useStore(call.participants).find(({ member }) => member.id === staged?.member)
  if (!staged || !participant) return null
  const Enlarged = staged.purpose === "screen" ? ScreenTile : PersonTile
  return (
    <div className="call-stage" role="group" aria-label={t("call.stage")}>
      <Enlarged call={call} participant={participant} large />
    </div>
  )
}
