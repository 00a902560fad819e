import { UserX } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { hasNoHost } from "./onlyHost.ts"

/** Tells the people inside why nobody new comes. */
export function NoHost({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const view = useStore(session.view)
  if (!hasNoHost(session.handle, view)) return null
  return (
    <p className="banner">
      <UserX aria-hidden /> {t("hosts.noHost")}
    </p>
  )
}
