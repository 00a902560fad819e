import { DoorOpen } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** So that a host who has another panel open hears of it. */
export function KnockBanner({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { knocks } = useStore(session.admission)
  if (knocks.length === 0) return null
  const names = knocks.map(({ name }) => name).join(", ")
  return (
    <p className="banner">
      <DoorOpen aria-hidden /> {t("hosts.knockNews", { count: knocks.length, names })}
    </p>
  )
}
