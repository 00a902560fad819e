import { useTranslation } from "react-i18next"
import type { SessionCall } from "../../session/call.ts"
import { useStore } from "../../store.ts"

/** Says why the others see less of this person, and what helps. */
export function BusyNote({ call }: { readonly call: SessionCall }) {
  const { t } = useTranslation()
  const reduced = useStore(call.reduced)
  return (
    <div role="status" className="call-note">
      {reduced && <p className="call-who">{t("call.busy")}</p>}
    </div>
  )
}
