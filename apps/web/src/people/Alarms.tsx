import { ShieldAlert, X } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** Somebody bears the name of a verified person and has another key: above everything, until that is settled. */
export function Alarms({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { members } = useStore(session.view)
  const hidden = useStore(session.hiddenAlarms)
  const changed = members.filter(({ id, changedKey }) => changedKey && !hidden.has(id))
  if (changed.length === 0) return null
  return (
    <div role="alert">
      {changed.map(({ id, name }) => (
        <div key={id} className="alarm">
          <ShieldAlert aria-hidden />
          <p>{t("alarm.changedKey", { name })}</p>
          <button type="button" className="button" onClick={() => session.verifying.set(id)}>
            {t("alarm.compare")}
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t("alarm.hide")}
            onClick={() => session.hiddenAlarms.set(new Set([...hidden, id]))}
          >
            <X aria-hidden />
          </button>
        </div>
      ))}
    </div>
  )
}
