import type { Member } from "@keymoot/core"
import { Merge, Unplug } from "lucide-react"
import { useEffect, useMemo, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { listNames, NAMED_MAX } from "../names.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"

const REUNITED_SHOWN_MS = 12_000
/** Most lost members have closed their tab and do not return. After this time only the panel "People" names them. */
const LOST_SHOWN_MS = 60_000
type ApartBannersProps = {
  readonly session: Session
  /** A banner reports them as unreachable already. */
  readonly offline: boolean
}

/** The unreachable members, and those that have returned with all their changes. */
export function ApartBanners({ session, offline }: ApartBannersProps) {
  const { t, i18n } = useTranslation()
  const { members } = useStore(session.view)
  const lost = useLostForLong(session)
  const reunited = useRecentlyReunited(session)
  const others = members.length - 1
  /** Named by a banner that the person or the time has hidden. The next loss shows another one. */
  const [hidden, setHidden] = useState<readonly Member[]>([])
  const isAlone = others === 0
  useEffect(() => {
    if (isAlone) return undefined // Changes reach nobody now, so the banner stays.
    const timer = setTimeout(() => setHidden(lost), LOST_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [lost, isAlone])
  return (
    <>
      {lost.some((member) => !hidden.includes(member)) && !offline && (
        <p className="banner">
          <Unplug aria-hidden />
          <span>
            {lost.length <= NAMED_MAX
              ? t("banner.outOfReach", { count: lost.length, names: listNames(lost, i18n.language) })
              : t("banner.outOfReachMany", { count: lost.length })}{" "}
            {isAlone ? t("banner.hereAlone") : t("banner.here", { count: others })} {t("banner.outOfReachHint")}
          </span>
          <DismissButton label={t("banner.hide")} onClick={() => setHidden(lost)} />
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

/** Without the people who may only be reloading their page. The same array for the same people. */
function useLostForLong(session: Session): readonly Member[] {
  const lost = useStore(session.lost)
  const reloading = useStore(session.reloading)
  const key = lost.filter(({ id }) => !reloading.has(id)).map(({ id }) => id)
  return useMemo(() => lost.filter(({ id }) => key.includes(id)), [key.join(" ")])
}

function useRecentlyReunited(session: Session): readonly Member[] {
  const reunited = useStore(session.reunited)
  const [seen, setSeen] = useState(reunited)
  useEffect(() => {
    const timer = setTimeout(() => setSeen(reunited), REUNITED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [reunited])
  const { members } = useStore(session.view)
  // A member that is lost again or was removed is not reported as returned.
  return seen === reunited ? [] : reunited.filter(({ id }) => members.some((member) => member.id === id))
}
