import "../styles/call.css"
import { PhoneOff } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { CallProblemNote } from "./CallProblemNote.tsx"
import { CallPreview } from "./CallPreview.tsx"
import { DeviceToggles } from "./DeviceToggles.tsx"
import { Tiles } from "./Tiles.tsx"

/** The call: a preview before it, and tiles with the controls in it. */
export default function CallPanel({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { call } = session
  const state = useStore(call.state)
  const others = useStore(call.participants).length
  const viewer = useStore(session.view).members.find(({ self }) => self)?.role === "viewer"
  if (state !== "in") return <CallPreview session={session} viewer={viewer} />
  return (
    <section className="call" aria-label={t("call.name")}>
      <Tiles session={session} />
      <CallProblemNote call={call} />
      <div className="call-controls">
        <p className="call-who" role="status">
          {viewer ? t("call.viewer") : others === 0 ? t("call.alone") : t("call.who", { count: others })}
        </p>
        <DeviceToggles call={call} disabled={viewer} screen />
        <button type="button" className="button call-leave" onClick={call.leave}>
          <PhoneOff aria-hidden /> <span className="call-label">{t("call.leave")}</span>
        </button>
      </div>
    </section>
  )
}
