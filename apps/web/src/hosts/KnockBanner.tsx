import { DoorOpen } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { listNames, NAMED_MAX } from "../conference/names.ts"

/** So that a host who has another panel open hears of it. */
export function KnockBanner({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { knocks } = useStore(session.admission)
  if (knocks.length === 0) return null
  return (
    <p className="banner">
      <DoorOpen aria-hidden />
      <span>
        {knocks.length <= NAMED_MAX
          ? t("hosts.knockNews", { count: knocks.length, names: listNames(knocks, i18n.language) })
          : t("hosts.knocksMany", { count: knocks.length })}
      </span>
    </p>
  )
}
