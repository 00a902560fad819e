import { Hand } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { listNames, NAMED_MAX } from "./names.ts"

/** The members with a raised hand, in the order of the people. */
export function Hands({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const doing = useStore(session.presence.doing)
  const raised = useStore(session.view).members.filter(({ id }) => doing.get(id)?.hand)
  if (raised.length === 0) return null
  return (
    <p className="banner hands">
      <Hand aria-hidden />
      <span>
        {raised.length <= NAMED_MAX
          ? t("chat.hand", { names: listNames(raised, i18n.language) })
          : t("chat.hands", { count: raised.length })}
      </span>
    </p>
  )
}
