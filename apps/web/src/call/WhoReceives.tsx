import type { MediaPurpose } from "@keymoot/core"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

type WhoReceivesProps = { readonly session: Session; readonly viewer: boolean }

/** Says who can hear and see this person now, as plainly as the lock says who can read. */
export function WhoReceives({ session, viewer }: WhoReceivesProps) {
  const { t } = useTranslation()
  const { call } = session
  const own = useStore(call.own)
  const silenced = useStore(call.silenced)
  const participants = useStore(call.participants)
  const receiving = participants.filter(({ receives }) => receives).length
  const { status } = useStore(session.view)
  const carries = (purpose: MediaPurpose): boolean => own.has(purpose) && !silenced.has(purpose)
  const heard = receiving > 0 && (carries("microphone") || carries("screen-audio"))
  const seen = receiving > 0 && carries("camera")
  const what = heard && seen ? "hearAndSee" : heard ? "hear" : seen ? "see" : "nothing"
  // The text for nobody names how many are in the call.
  const count = what === "nothing" ? participants.length : receiving
  const text = (): string => {
    if (status === "agreeing" || status === "keyed") return t("call.rekeying")
    if (viewer) return t("call.viewer")
    if (count === 0) return t("call.alone")
    return own.has("screen") && receiving > 0
      ? `${t(`call.who.${what}`, { count })} ${t("call.who.screen")}`
      : t(`call.who.${what}`, { count })
  }
  return (
    <p className="call-who" role="status">
      {text()}
    </p>
  )
}
