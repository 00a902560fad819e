import type { Member } from "@keymoot/core"
import { Hand, Moon } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"

/** Beside a name: a raised hand, and whether the person is away. */
export function DoingMark({ session, id }: { readonly session: Session; readonly id: Member["id"] }) {
  const { t } = useTranslation()
  const doing = useStore(session.presence.doing).get(id)
  if (doing === undefined) return null
  return (
    <>
      {doing.hand && (
        <span className="doing-mark" role="img" aria-label={t("people.hand")} title={t("people.hand")}>
          <Hand aria-hidden />
        </span>
      )}
      {doing.idle && (
        <span className="doing-mark" role="img" aria-label={t("people.idle")} title={t("people.idle")}>
          <Moon aria-hidden />
        </span>
      )}
    </>
  )
}
