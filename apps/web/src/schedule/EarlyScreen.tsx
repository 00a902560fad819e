import { CalendarClock } from "lucide-react"
import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import { CopyLink } from "../conference/CopyLink.tsx"
import { InviteActions } from "../invite/InviteActions.tsx"
import type { Invited } from "../invite/invitation.ts"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"
import { formatOpening } from "./opening.ts"

/**
 * No timer runs longer than about three weeks, and a device that slept is late: so the page checks the time repeatedly.
 */
const LOOK_AGAIN_MS = 30_000
/** Minimum delay, in case the engine's clock is behind the page's. */
const LOOK_AGAIN_MS_MIN = 1_000

type EarlyScreenProps = {
  readonly opensAtMs: number
  /** For the conference's creator; null for others. */
  readonly invited: Invited | null
  readonly onEnter: () => void
  readonly onStart: () => void
}

/** The conference is not open yet: this person enters automatically when it opens. */
export default function EarlyScreen({ opensAtMs, invited, onEnter, onStart }: EarlyScreenProps) {
  const { t, i18n } = useTranslation()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = (): void => {
      const leftMs = opensAtMs - Date.now()
      timer = setTimeout(look, Math.max(LOOK_AGAIN_MS_MIN, Math.min(leftMs, LOOK_AGAIN_MS)))
    }
    const look = (): void => (Date.now() >= opensAtMs ? onEnter() : wait())
    wait()
    return () => clearTimeout(timer)
  }, [opensAtMs, onEnter])

  return (
    <main className="page">
      <div className="card">
        <Brand />
        <ScreenTitle>{t("schedule.title")}</ScreenTitle>
        <p className="opening" role="status">
          <CalendarClock aria-hidden /> {t("schedule.opensAt", { time: formatOpening(opensAtMs, i18n.language) })}
        </p>
        <p className="hint">{t("schedule.hint")}</p>
        {invited !== null && <InviteActions invited={invited} />}
        <div className="actions">
          {invited !== null && <CopyLink url={invited.url} />}
          <button type="button" className="button" onClick={onStart}>
            {t("problem.toStart")}
          </button>
        </div>
      </div>
    </main>
  )
}
