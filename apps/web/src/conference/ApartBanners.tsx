import type { Member } from "@keymoot/core"
import { Merge, Unplug, X } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { listNames, NAMED_MAX } from "./names.ts"

const REUNITED_SHOWN_MS = 12_000
/** Most who are lost have closed their tab and do not come back. After this the panel "People" goes on naming them. */
const LOST_SHOWN_MS = 60_000
type ApartBannersProps = {
  readonly session: Session
  /** That they are out of reach is said already. */
  readonly offline: boolean
}

/** Who is out of reach, and who has come back: nothing is lost in between. */
export function ApartBanners({ session, offline }: ApartBannersProps) {
  const { t, i18n } = useTranslation()
  const { members } = useStore(session.view)
  const lost = useStore(session.lost)
  const reunited = useRecentlyReunited(session)
  const others = members.length - 1
  /** Put away; with the next who is lost or back it is another. */
  const [hidden, setHidden] = useState<readonly Member[] | null>(null)
  const isAlone = others === 0
  useEffect(() => {
    if (isAlone) return undefined // What is done now reaches nobody: that stays said.
    const timer = setTimeout(() => setHidden(lost), LOST_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [lost, isAlone])
  return (
    <>
      {lost.length > 0 && lost !== hidden && !offline && (
        <p className="banner">
          <Unplug aria-hidden />
          <span>
            {lost.length <= NAMED_MAX
              ? t("banner.outOfReach", { count: lost.length, names: listNames(lost, i18n.language) })
              : t("banner.outOfReachMany", { count: lost.length })}{" "}
            {isAlone ? t("banner.hereAlone") : t("banner.here", { count: others })} {t("banner.outOfReachHint")}
          </span>
          <button type="button" className="icon-button" aria-label={t("banner.hide")} onClick={() => setHidden(lost)}>
            <X aria-hidden />
          </button>
        </p>
      )}
      {reunited.length > 0 && (
        <p className="banner good">
          <Merge aria-hidden /> {t("banner.merged", { names: listNames(reunited, i18n.language) })}
        </p>
      )}
    </>
  )
}

function useRecentlyReunited(session: Session): readonly Member[] {
  const reunited = useStore(session.reunited)
  const [seen, setSeen] = useState(reunited)
  useEffect(() => {
    const timer = setTimeout(() => setSeen(reunited), REUNITED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [reunited])
  const { members } = useStore(session.view)
  // Who has gone again, or was removed, is not together with anybody.
  return seen === reunited ? [] : reunited.filter(({ id }) => members.some((member) => member.id === id))
}
