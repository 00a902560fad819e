import { ShieldQuestion } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** A member that has met only a removed member cannot know of the removal. */
export function Unvouched({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { vouched, waiting } = useStore(session.admission)
  const { status, members } = useStore(session.view)
  if (vouched || waiting || status !== "secured" || members.length === 1) return null
  return (
    <p className="banner">
      <ShieldQuestion aria-hidden /> {t("hosts.unvouched")}
    </p>
  )
}
