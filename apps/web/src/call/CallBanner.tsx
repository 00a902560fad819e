import { Phone, X } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** Says that there is a call which this person has neither joined nor hidden. */
export function CallBanner({ session: { call } }: { readonly session: Session }) {
  const { t } = useTranslation()
  const begun = useStore(call.begun)
  if (begun === null) return null
  return (
    <p className="banner plain">
      <Phone aria-hidden />
      <span>{t("call.begun", { name: begun.name })}</span>
      <button type="button" className="button banner-button" onClick={call.preview}>
        {t("call.join")}
      </button>
      <button type="button" className="icon-button" aria-label={t("banner.hide")} onClick={call.hideBegun}>
        <X aria-hidden />
      </button>
    </p>
  )
}
