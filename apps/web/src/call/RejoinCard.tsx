import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import type { CallToggle } from "./model/openTracks.ts"
import { CallProblemNote } from "./notes/CallProblemNote.tsx"
import { LinksNote } from "./notes/LinksNote.tsx"
import { useFocusInCall } from "./useFocusInCall.ts"

type RejoinCardProps = {
  readonly session: Pick<Session, "call" | "links">
  readonly toggles: readonly CallToggle[]
  /** Became one since: nothing of a viewer is switched on. */
  readonly viewer: boolean
}

/** After a reload in a call. Nothing is on before the person says so. */
export function RejoinCard({ session, toggles, viewer }: RejoinCardProps) {
  const { t } = useTranslation()
  const { call } = session
  useFocusInCall()
  const entering = useStore(call.state) === "entering"
  const isOn = (toggle: CallToggle): boolean => !viewer && toggles.includes(toggle)
  const [microphone, camera] = [isOn("microphone"), isOn("camera")]
  const withDevices = microphone && camera ? "both" : microphone ? "microphone" : camera ? "camera" : "none"
  return (
    <section className="call call-card" aria-label={t("call.name")}>
      <p>
        {t("call.before")} {t(`call.rejoinWith.${withDevices}`)}
      </p>
      <LinksNote session={session} />
      <CallProblemNote call={call} />
      <button type="button" className="button primary" disabled={entering} onClick={() => void call.rejoin()}>
        {t(entering ? "call.entering" : "call.rejoin")}
      </button>
      <button type="button" className="button" onClick={call.leave}>
        {t("call.notNow")}
      </button>
    </section>
  )
}
