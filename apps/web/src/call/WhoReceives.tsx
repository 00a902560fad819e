import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

type WhoReceivesProps = { readonly session: Session; readonly viewer: boolean }

/** Says who can hear and see this person now, as plainly as the lock says who can read. */
export function WhoReceives({ session, viewer }: WhoReceivesProps) {
  const { t } = useTranslation()
  const { call } = session
  const own = useStore(call.own)
  const count = useStore(call.participants).length
  const { status } = useStore(session.view)
  const [heard, seen] = [own.has("microphone"), own.has("camera")]
  const what = heard && seen ? "hearAndSee" : heard ? "hear" : seen ? "see" : "nothing"
  const text = (): string => {
    if (status === "agreeing" || status === "keyed") return t("call.rekeying")
    if (viewer) return t("call.viewer")
    if (count === 0) return t("call.alone")
    return own.has("screen")
      ? `${t(`call.who.${what}`, { count })} ${t("call.who.screen")}`
      : t(`call.who.${what}`, { count })
  }
  return (
    <p className="call-who" role="status">
      {text()}
    </p>
  )
}
