import { Phone, X } from "lucide-react"
import { useTranslation } from "react-i18next"
import { listNames } from "../conference/names.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** Members that the banner names; beyond it, one and the number of the others. */
const NAMED_MAX = 2

/** Says that there is a call which this person has neither joined nor hidden. */
export function CallBanner({ session: { call } }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const begun = useStore(call.begun)
  const [first] = begun
  if (first === undefined) return null
  return (
    <p className="banner plain">
      <Phone aria-hidden />
      <span>
        {begun.length > NAMED_MAX
          ? t("call.begunWithOthers", { name: first.name, count: begun.length - 1 })
          : t("call.begun", { names: listNames(begun, i18n.language), count: begun.length })}
      </span>
      <button type="button" className="button banner-button" onClick={call.preview}>
        {t("call.join")}
      </button>
      <button type="button" className="icon-button" aria-label={t("banner.hide")} onClick={call.hideBegun}>
        <X aria-hidden />
      </button>
    </p>
  )
}
