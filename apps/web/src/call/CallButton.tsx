import { Phone } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** Opens the preview of the call, and says how many people are in it. */
export function CallButton({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { call } = session
  const others = useStore(call.participants).length
  // Behind the preview too: the button gets the focus back when the preview closes.
  if (useStore(call.state) === "in") return null
  return (
    <button
      type="button"
      className="button bar-button call-open"
      aria-label={others > 0 ? t("call.openOthers", { count: others }) : t("call.open")}
      onClick={call.preview}
    >
      <Phone aria-hidden />
      <span className="bar-label">{t("call.open")}</span>
      {others > 0 && <span className="badge">{others}</span>}
    </button>
  )
}
