import { useTranslation } from "react-i18next"
import type { Asked, SessionCall } from "../../session/call.ts"
import { useStore } from "../../store.ts"
import { useFocusInCall } from "../useFocusInCall.ts"

/** Tells who has muted this person, or asks it to speak. Only the person can switch its microphone on. */
export function RequestNote({ call }: { readonly call: SessionCall }) {
  const asked = useStore(call.asked)
  return (
    <div role="status" className="call-note">
      {asked !== null && <Request call={call} asked={asked} />}
    </div>
  )
}

function Request({ call, asked }: { readonly call: SessionCall; readonly asked: Asked }) {
  const { t } = useTranslation()
  useFocusInCall(true)
  return (
    <>
      <p>{t(asked.request === "mute" ? "call.mutedBy" : "call.askedBy", { name: asked.by.name })}</p>
      <button type="button" className="button primary" onClick={() => void call.toggle("microphone")}>
        {t("call.unmute")}
      </button>
      <button type="button" className="button" onClick={call.dismissRequest}>
        {t("call.stayMuted")}
      </button>
    </>
  )
}
