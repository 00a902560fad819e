import { useTranslation } from "react-i18next"
import type { SessionCall } from "../../session/call.ts"
import { useStore } from "../../store.ts"

/** Tells who has muted this person, or asks it to speak. Only the person can switch its microphone on. */
export function RequestNote({ call }: { readonly call: SessionCall }) {
  const { t } = useTranslation()
  const asked = useStore(call.asked)
  return (
    <div role="status" className="call-note">
      {asked !== null && (
        <>
          <p>{t(asked.request === "mute" ? "call.mutedBy" : "call.askedBy", { name: asked.by.name })}</p>
          <button type="button" className="button primary" onClick={() => void call.toggle("microphone")}>
            {t("call.unmute")}
          </button>
          <button type="button" className="button" onClick={call.dismissRequest}>
            {t("call.stayMuted")}
          </button>
        </>
      )}
    </div>
  )
}
