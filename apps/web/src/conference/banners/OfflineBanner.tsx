import { WifiOff } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { listNames, NAMED_MAX } from "../names.ts"
import { TryNow } from "./TryNow.tsx"

/** Neither a member nor the server is reachable: one fact, and one banner. */
export function useOffline(session: Session): boolean {
  const { status, members } = useStore(session.view)
  const lost = useStore(session.lost)
  const server = useStore(session.server)
  return server === "down" && (status === "joining" || (lost.length > 0 && members.length === 1))
}

export function OfflineBanner({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { status } = useStore(session.view)
  const lost = useStore(session.lost)
  return (
    <p className="banner">
      <WifiOff aria-hidden />
      <span>
        {lost.length > 0 && lost.length <= NAMED_MAX
          ? t("banner.offline", { count: lost.length, names: listNames(lost, i18n.language) })
          : t("banner.offlineAll")}{" "}
        {t(status === "joining" ? "banner.joiningHint" : "banner.outOfReachHint")}
      </span>
      <TryNow session={session} />
    </p>
  )
}
