import { CloudOff, Radar } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

export function Banners({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { status } = useStore(session.view)
  const server = useStore(session.server)
  return (
    <div className="banners" role="status">
      {server === "down" && (
        <p className="banner">
          <CloudOff aria-hidden /> {t("banner.serverDown")}
        </p>
      )}
      {status === "joining" && (
        <p className="banner">
          <Radar aria-hidden /> {t("banner.joining")} {t("banner.joiningHint")}
        </p>
      )}
    </div>
  )
}
