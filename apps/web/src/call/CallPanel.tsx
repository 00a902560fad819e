import "../styles/call.css"
import { PhoneOff } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { CallPreview } from "./CallPreview.tsx"
import { DevicesMenu } from "./DevicesMenu.tsx"
import { DeviceToggles } from "./DeviceToggles.tsx"
import { BusyNote } from "./notes/BusyNote.tsx"
import { CallProblemNote } from "./notes/CallProblemNote.tsx"
import { LinksNote } from "./notes/LinksNote.tsx"
import { RefusedSoundNote } from "./notes/RefusedSoundNote.tsx"
import { RequestNote } from "./notes/RequestNote.tsx"
import { SilencedNote } from "./notes/SilencedNote.tsx"
import { RejoinCard } from "./RejoinCard.tsx"
import { Tiles } from "./Tiles.tsx"
import { useFocusInCall } from "./useFocusInCall.ts"
import { usePushToTalk } from "./usePushToTalk.ts"
import { WhoReceives } from "./WhoReceives.tsx"

/** The call: a preview before it, and tiles with the controls in it. */
export default function CallPanel({ session }: { readonly session: Session }) {
  const { call } = session
  const state = useStore(call.state)
  const before = useStore(call.before)
  const viewer = useStore(session.view).members.find(({ self }) => self)?.role === "viewer"
  usePushToTalk(call, state === "in" && !viewer)
  if ((state === "out" || state === "entering") && before !== null) {
    return <RejoinCard session={session} toggles={before} viewer={viewer} />
  }
  if (state !== "in") return <CallPreview session={session} viewer={viewer} />
  return <InCall session={session} viewer={viewer} />
}

function InCall({ session, viewer }: { readonly session: Session; readonly viewer: boolean }) {
  const { t } = useTranslation()
  const { call } = session
  useFocusInCall()
  return (
    <section className="call" aria-label={t("call.name")} tabIndex={-1}>
      <Tiles session={session} />
      <RequestNote call={call} />
      <RefusedSoundNote />
      <CallProblemNote call={call} />
      <SilencedNote call={call} />
      <BusyNote call={call} />
      <LinksNote session={session} />
      <div className="call-controls">
        <WhoReceives session={session} viewer={viewer} />
        {!viewer && <DeviceToggles call={call} screen />}
        <DevicesMenu call={call} viewer={viewer} />
        <button type="button" className="button call-leave" onClick={call.leave}>
          <PhoneOff aria-hidden /> <span className="call-label">{t("call.leave")}</span>
        </button>
      </div>
    </section>
  )
}
